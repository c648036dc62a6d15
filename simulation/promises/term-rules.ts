import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** By how much steps may have set the clocks since. */
const clockMs = 3 * hourMs

/** The shortest time for which the rows of each table stay, whatever their columns say. */
const kept: Record<string, number> = {
  'a delivery': 30 * dayMs,
  'an event': 30 * dayMs,
  'the answer to an Idempotency-Key': dayMs,
  'a tombstone': 7 * dayMs,
  'an upload': dayMs,
}

/** Reports until when rows say that something is kept, and when rows are removed. */
const triggers = `
  CREATE TEMP TRIGGER tell_files_term AFTER UPDATE OF finished_at ON main.videos WHEN OLD.finished_at IS NULL
    AND NEW.files_expire_at IS NOT NEW.finished_at + ${dayMs} * (SELECT retain_outputs_days FROM accounts WHERE id = NEW.account_id)
  BEGIN SELECT tell('term', 'the files of ' || NEW.id); END;
  CREATE TEMP TRIGGER tell_source_term AFTER UPDATE OF finished_at ON main.videos WHEN OLD.finished_at IS NULL
    AND NEW.source IS NOT NULL AND NEW.source_expires_at IS NOT
      NEW.finished_at + ${dayMs} * (SELECT retain_sources_days FROM accounts WHERE id = NEW.account_id)
  BEGIN SELECT tell('term', 'the source of ' || NEW.id); END;
  CREATE TEMP TRIGGER tell_upload_term AFTER INSERT ON main.uploads WHEN NEW.expires_at <> NEW.created_at + ${dayMs}
  BEGIN SELECT tell('term', NEW.id); END;
  CREATE TEMP TRIGGER tell_upload_shortened AFTER UPDATE OF expires_at ON main.uploads
    WHEN NEW.expires_at < OLD.expires_at - ${clockMs} AND NEW.status <> 'dropped'
  BEGIN SELECT tell('term', NEW.id); END;
  CREATE TEMP TRIGGER tell_ready_term AFTER UPDATE OF status ON main.uploads WHEN OLD.status = 'open' AND NEW.status = 'ready'
    AND NEW.expires_at < unixepoch('subsec') * 1000 + ${dayMs - clockMs}
  BEGIN SELECT tell('term', NEW.id); END;
  CREATE TEMP TRIGGER tell_key_term AFTER INSERT ON main.idempotency_keys WHEN NEW.expires_at <> NEW.created_at + ${dayMs}
  BEGIN SELECT tell('term', 'the key ' || NEW.idempotency_key); END;
  CREATE TEMP TRIGGER tell_batch_term AFTER UPDATE OF ended_at ON main.batches WHEN NEW.expires_at <> NEW.ended_at + ${366 * dayMs}
  BEGIN SELECT tell('term', NEW.id); END;
  CREATE TEMP TRIGGER tell_link_term AFTER INSERT ON main.webhook_events
    WHEN NEW.body ->> '$.data.linksExpireAt' > NEW.body ->> '$.data.filesExpireAt'
  BEGIN SELECT tell('term', 'the links of ' || NEW.video_id); END;
  CREATE TEMP TRIGGER tell_left AFTER DELETE ON main.videos
  BEGIN SELECT tell('left', OLD.id, OLD.finished_at + ${dayMs} * (SELECT archive_after_days FROM accounts WHERE id = OLD.account_id)); END;
  CREATE TEMP TRIGGER tell_delivery_gone AFTER DELETE ON main.webhook_deliveries
  BEGIN SELECT tell('gone', 'a delivery', OLD.id, OLD.created_at); END;
  CREATE TEMP TRIGGER tell_event_gone AFTER DELETE ON main.webhook_events
  BEGIN SELECT tell('gone', 'an event', OLD.id, OLD.created_at); END;
  CREATE TEMP TRIGGER tell_key_gone AFTER DELETE ON main.idempotency_keys WHEN OLD.response_status IS NOT NULL
  BEGIN SELECT tell('gone', 'the answer to an Idempotency-Key', OLD.idempotency_key, OLD.created_at); END;
  CREATE TEMP TRIGGER tell_tombstone_gone AFTER DELETE ON main.tombstones
  BEGIN SELECT tell('gone', 'a tombstone', OLD.prefix, OLD.created_at); END;
  CREATE TEMP TRIGGER tell_upload_gone AFTER DELETE ON main.uploads WHEN OLD.status = 'used'
  BEGIN SELECT tell('gone', 'an upload', OLD.id, OLD.created_at); END;
`

/** Everything is kept for at least the time that its account was promised. */
export class TermRules {
  readonly #world: World
  readonly #isDeleting: (videoId: string) => boolean

  /** `isDeleting`: whether a customer has asked for the deletion of this video. */
  constructor(world: World, database: Database, isDeleting: (videoId: string) => boolean) {
    this.#world = world
    this.#isDeleting = isDeleting
    database.watch(triggers)
  }

  /** Called for each committed change. */
  hear(what: string, one: string, two: string, three: string): void {
    const { wall } = this.#world.loop
    switch (what) {
      case 'term':
        return this.#world.break(
          `${one} is to be kept for another time than its account was promised`,
        )
      case 'gone':
        if (Number(three) + (kept[one] ?? 0) <= wall + clockMs) return
        return this.#world.break(`${one}, ${two}, has gone before its time`)
      case 'left':
        if (this.#isDeleting(one) || wall + clockMs > Number(two)) return
        return this.#world.break(`${one} was archived before its time`)
    }
  }
}
