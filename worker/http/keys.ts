import type { Context } from 'hono'
import { describeKey, issueKey, revokeKey as endKey } from '../command/api-keys.ts'
import type { KeyCaller } from '../contract/people/member.ts'
import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { keyId } from '../contract/ids.ts'
import {
  createKey as createBody,
  listKeysQuery,
  renameKey as renameBody,
  type CreateKey,
  type IssuedKey,
  type KeyPage,
} from '../contract/people/key-record.ts'
import { limits } from '../contract/limits.ts'
import { takePage } from '../contract/video/page-cursor.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import {
  findApiKey,
  listAccountKeys,
  nameApiKey,
  type ApiKeyRow,
} from '../store/people/api-keys.ts'
import type { AppEnv } from './app-env.ts'
import { readInput } from './read-body.ts'
import { readQuery } from './read-query.ts'

/** POST /v1/keys */
export async function createKey(c: Context<AppEnv>): Promise<Response> {
  const asked = await readInput(c.req.raw, createBody)
  const caller = c.get('caller')
  const wish = 'keyId' in caller ? await withinCaller(c.env.DB, asked, caller) : asked
  const { accountId } = caller
  const issued: IssuedKey = await issueKey(c.env, { ...wish, accountId }, Date.now())
  return c.json(issued, 201)
}

async function withinCaller(d1: D1Database, wish: CreateKey, caller: KeyCaller) {
  const parent = await findApiKey(d1, caller.keyId)
  if (!parent) throw keyNotFound()
  return withinParent(wish, parent, caller.scopes)
}

/** A stolen key must not be able to create a key that can do more or that lasts longer. */
function withinParent(wish: CreateKey, parent: ApiKeyRow, granted: readonly string[]): CreateKey {
  const faults: FieldFault[] = []
  wish.scopes.forEach((scope, i) => {
    if (granted.includes(scope)) return
    faults.push({
      field: `scopes[${i}]`,
      message: `Must be a scope that your key has; it lacks ${scope}`,
    })
  })
  const end = parent.expiresAt === null ? undefined : timestamp(parent.expiresAt)
  const wishedEnd = wish.expiresAt ?? end
  if (end !== undefined && wishedEnd !== undefined && Date.parse(wishedEnd) > Date.parse(end)) {
    faults.push({ field: 'expiresAt', message: `Must not be after ${end}, when your own key ends` })
  }
  if (faults.length > 0) throw invalidRequest(faults)
  return { ...wish, expiresAt: wishedEnd }
}

/** GET /v1/keys */
export async function listKeys(c: Context<AppEnv>): Promise<Response> {
  const { cursor: after, limit = limits.listPageSizeDefault } = await readQuery(c, listKeysQuery)
  const wanted = { after, limit: limit + 1 }
  const found = await listAccountKeys(c.env.DB, c.get('caller').accountId, wanted)
  const { page, nextCursor } = takePage(found, limit, (row) => row)
  return c.json({ data: page.map(describeKey), nextCursor } satisfies KeyPage)
}

/** GET /v1/keys/{keyId} */
export async function getKey(c: Context<AppEnv>): Promise<Response> {
  return c.json(describeKey(await requireKey(c)))
}

/** PATCH /v1/keys/{keyId} */
export async function renameKey(c: Context<AppEnv>): Promise<Response> {
  const { name } = await readInput(c.req.raw, renameBody)
  const named = await nameApiKey(c.env.DB, await requireKey(c), name)
  if (!named) throw keyNotFound()
  return c.json(describeKey(named))
}

/** DELETE /v1/keys/{keyId} */
export async function revokeKey(c: Context<AppEnv>): Promise<Response> {
  await endKey(c.env, await requireKey(c), Date.now())
  return c.body(null, 204)
}

async function requireKey(c: Context<AppEnv>): Promise<ApiKeyRow> {
  const id = keyId.safeParse(c.req.param('keyId'))
  const key = id.success ? await findApiKey(c.env.DB, id.data) : undefined
  if (key?.accountId !== c.get('caller').accountId) throw keyNotFound()
  return key
}

function keyNotFound(): AppError {
  return new AppError('NotFound', 'API key not found.')
}
