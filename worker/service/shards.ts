import { AppError } from '../contract/errors.ts'
import type { Bindings, Env } from '../settings.ts'
import { findShard } from '../store/accounts.ts'
import type { AccountDatabase, HomeDatabase } from '../store/databases.ts'

type Shards = readonly [Env, ...Env[]]

/** One environment for each database. They stay the same objects, because settings are read once for each. */
const known = new WeakMap<Bindings | Env, Shards>()

/**
 * The databases among the bindings: `DB`, which is also the home of all accounts, then `DB_1`, `DB_2` and so on. The
 * types follow from here: code that has an `Env` cannot look for a video in the home, or for a session where videos are.
 */
export function allShards(env: Bindings | Env): Shards {
  const found = known.get(env)
  if (found) return found
  const home = env.DB as HomeDatabase
  const inDatabase = (database: D1Database, shard: number): Env => ({
    ...env,
    DB: database as AccountDatabase,
    HOME: home,
    shard,
  })
  const shards: [Env, ...Env[]] = [inDatabase(home, 0)]
  const bound = env as unknown as Readonly<Record<string, D1Database | undefined>>
  for (let next = bound.DB_1; next; next = bound[`DB_${shards.length}`]) {
    shards.push(inDatabase(next, shards.length))
  }
  for (const one of [env, ...shards]) known.set(one, shards)
  return shards
}

/** The environment of the home, whose database is also the first of those that have what accounts make. */
export function atHome(env: Bindings | Env): Env {
  return allShards(env)[0]
}

/** The environment of an account that lives in this database. */
export function inShard(env: Bindings | Env, shard: number): Env {
  const found = allShards(env)[shard]
  if (found) return found
  const cause = new Error(
    `There is no database DB_${shard}, in which an account lives; see wrangler.toml.`,
  )
  throw new AppError('StorageError', undefined, { cause })
}

/** The environment of this account, by the map in the home; the home itself for an account that does not exist. */
export async function ofAccount(env: Env, accountId: string): Promise<Env> {
  return inShard(env, (await findShard(env.HOME, accountId)) ?? 0)
}

export type FoundAt<Found> = { at: Env; found: Found }

/**
 * Finds what was named without its account. The environment says where it was when it was named; its account may have
 * moved since, so the other databases are asked too before it counts as missing.
 */
export async function findAnywhere<Found>(
  env: Env,
  find: (at: Env) => Promise<Found | undefined>,
): Promise<FoundAt<Found> | undefined> {
  for (const at of [env, ...allShards(env).filter(({ shard }) => shard !== env.shard)]) {
    const found = await find(at)
    if (found !== undefined) return { at, found }
  }
  return undefined
}

/** How a message names the database; the first one is not named, as in messages of the version before. */
export function named(shard: number): { shard?: number } {
  return shard === 0 ? {} : { shard }
}
