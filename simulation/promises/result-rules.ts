import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** Told of each insight whose progress falls, and of each named output that a video which has succeeded lacks. */
const insightFell = ['transcript', 'analysis'].map(
  (name) => `CREATE TEMP TRIGGER tell_${name}_fell AFTER UPDATE OF ${name} ON main.videos
    WHEN NEW.${name}_status IN ('pending', 'processing', 'failed')
      AND coalesce(NEW.${name} ->> '$.progress', 0) < coalesce(OLD.${name} ->> '$.progress', 0)
    BEGIN SELECT tell('insight fell', NEW.id, '${name}', OLD.${name} ->> '$.progress', NEW.${name} ->> '$.progress'); END;`,
)

const triggers = `${insightFell.join('\n')}
  CREATE TEMP TRIGGER tell_lacking AFTER UPDATE OF status ON main.videos
    WHEN NEW.status = 'succeeded' AND NEW.request ->> '$.outputs' IS NOT NULL AND NEW.result ->> '$.reusedFrom' IS NULL
  BEGIN SELECT tell('lacking', NEW.id, asked.value ->> 'name') FROM json_each(NEW.request, '$.outputs') AS asked
    WHERE NOT EXISTS (SELECT 1 FROM json_each(NEW.result, '$.named') AS made
      JOIN json_each(NEW.result, '$.outputs') AS file ON file.key = made.value ->> 'kind'
      WHERE made.value ->> 'name' = asked.value ->> 'name'); END;
`

/** What is told of a result while it is made, and what it has in the end. */
export class ResultRules {
  readonly #world: World

  constructor(world: World, database: Database) {
    this.#world = world
    database.watch(triggers)
  }

  /** A change that was written for good. */
  hear(what: string, one: string, two: string, three: string, four: string): void {
    if (what === 'insight fell')
      this.#world.break(`the progress of the ${two} of ${one} fell from ${three} to ${four}`)
    if (what === 'lacking') this.#world.break(`${one} has succeeded without its output ${two}`)
  }
}
