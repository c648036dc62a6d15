import { findAnywhere, inShard } from '../service/shards.ts'
import type { Env } from '../settings.ts'

/**
 * Which database an object works in. It is told with what it is asked to do, keeps it for what comes without, such as
 * reports and alarms, and is told when the account moves. Nothing is stored for the first database.
 */
export class KnownShard {
  readonly #storage: DurableObjectStorage
  readonly #home: Env
  /** Undefined until it is read; null while nothing is stored. */
  #stored: number | null | undefined
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
    if ((this.#readStored() ?? 0) === shard) return
    this.#storage.kv.put('shard', shard)
    this.#stored = shard
  }

  /** Call this after the storage of the object was emptied. */
  forgotten(): void {
    this.#stored = null
  }

  /** Finds something in this database, or else where its account has moved to. */
  async find<Found>(look: (at: Env) => Promise<Found | undefined>): Promise<Found | undefined> {
    const known = await findAnywhere(this.env, look)
    if (known) this.remember(known.at.shard)
    return known?.found
  }

  #known(): number | undefined {
    this.#shard ??= this.#readStored() ?? undefined
    return this.#shard
  }

  #readStored(): number | null {
    if (this.#stored === undefined) this.#stored = this.#storage.kv.get<number>('shard') ?? null
    return this.#stored
  }
}
