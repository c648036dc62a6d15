import { z } from 'zod'
import { scopes } from './api-key.ts'
import { closedObject } from '../input/closed-object.ts'
import { keyId } from '../ids.ts'
import { nextCursor, pageAsked } from '../video/page-cursor.ts'
import { worded } from '../answers/wording.ts'
import { wellFormed, withoutControls } from '../input/text.ts'
import { timestamp } from '../timestamp.ts'

/** Names of keys and accounts are shown in terminals, so control characters are refused. */
export const displayName = z
  .string()
  .trim()
  .min(1, { error: 'Must not be empty', abort: true })
  .max(255, 'Must be at most 255 characters')
  .refine(...withoutControls)
  .refine(...wellFormed)

export const keyScopes = worded(
  z
    .array(z.enum(scopes))
    .min(1, 'Must name at least one scope')
    .refine((list) => new Set(list).size === list.length, 'Must name each scope once'),
  'a list such as ["videos:read"]',
)

/** The body of POST /v1/keys. */
export const createKey = worded(
  closedObject({
    name: displayName.optional().describe('Shown in lists, such as the program that uses the key'),
    scopes: keyScopes.describe('What the key may do; only scopes that your own key has'),
    expiresAt: timestamp
      .optional()
      .describe(
        'When the key ends. When absent, it ends with the key that creates it, if that one ends',
      ),
  }),
  'an object such as {"scopes": ["videos:read"]}',
)
export type CreateKey = z.infer<typeof createKey>

/** The body of PATCH /v1/keys/{keyId}. */
export const renameKey = worded(
  closedObject({ name: displayName.nullable().describe('The new name; null removes it') }),
  'an object such as {"name": "Website"}',
)

const grant = {
  keyId,
  name: z.string().nullable().describe('What the key was named; null without a name'),
  hint: z.string().describe('The end of the key, to recognise it by'),
  scopes: z.array(z.enum(scopes)).describe('What the key may do'),
  createdAt: timestamp.describe('When the key was created'),
  expiresAt: timestamp.nullable().describe('When the key ends; null when it has no end'),
  lastUsedAt: timestamp
    .nullable()
    .describe('When a request last used the key, to within five minutes; null before the first'),
  revokedAt: timestamp.nullable().describe('When the key was revoked; null when it was not'),
}

export const keyRecord = z.object(grant)
export type KeyRecord = z.infer<typeof keyRecord>

/** The answer to POST /v1/keys, the only one that has the key itself. */
export const issuedKey = z.object({
  apiKey: z.string().describe('The key itself. It is not stored and cannot be shown again'),
  ...grant,
})
export type IssuedKey = z.infer<typeof issuedKey>

export const listKeysQuery = closedObject({
  ...pageAsked('k_[0-9A-Za-z]{1,64}'),
})

export const keyPage = z.object({
  data: z.array(keyRecord).describe('Newest first, revoked and expired keys among them'),
  nextCursor,
})
export type KeyPage = z.infer<typeof keyPage>
