import { findAnywhere, inShard } from '../service/shards.ts'
import type { Env } from '../settings.ts'

/**
 * Which database an object works in. It is told with what it is asked to do, keeps it for what comes without, such as
 * reports and alarms, and is told when the account moves. Nothing is stored for the first database.
 */
export class KnownShard {
  readonly #storage: DurableObjectStorage
  readonly #home: Env
  #shard: number | undefined

  constructor(storage: DurableObjectStorage, home: Env) {
    this.#storage = storage
    this.#home = home
  }

  get env(): Env {
    return inShard(this.#home, this.#known() ?? 0)
  }

  /** Where the caller has seen the job; what this object knows by itself is newer. */
  hint(shard = 0): void {
    if (this.#known() === undefined) this.#shard = shard
  }

  remember(shard: number): void {
    this.#shard = shard
    if ((this.#stored() ?? 0) !== shard) this.#storage.kv.put('shard', shard)
  }

  /** Finds something in this database, or else where its account has moved to. */
  async find<Found>(look: (at: Env) => Promise<Found | undefined>): Promise<Found | undefined> {
    const known = await findAnywhere(this.env, look)
    if (known) this.remember(known.at.shard)
    return known?.found
  }

  #known(): number | undefined {
    this.#shard ??= this.#stored()
    return this.#shard
  }

  #stored(): number | undefined {
    return this.#storage.kv.get<number>('shard')
  }
}
