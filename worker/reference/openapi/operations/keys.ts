import { keysPerAccount } from '../../../contract/limits.ts'
import * as keys from '../../../contract/people/key-record.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'
import type {
  CreateKey,
  IssuedKey,
  KeyPage,
  KeyRecord,
} from '../../../contract/people/key-record.ts'

const createKeyRequest: CreateKey = {
  name: 'Website, reading only',
  scopes: ['videos:read'],
  expiresAt: '2027-11-21T00:00:00Z',
}

const created: KeyRecord = {
  keyId: 'k_5ZqP0nYc3KdW',
  name: 'Website, reading only',
  hint: 'spool_…Kbs5',
  scopes: ['videos:read'],
  createdAt: '2026-11-21T10:14:51.402Z',
  expiresAt: '2027-11-21T00:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
}

const issuedKey: IssuedKey = {
  apiKey: 'spool_2cVhT8mRw0yKqJ5nZsX4bLdGfE3rKbs5',
  ...created,
}

const usedKey: KeyRecord = { ...created, lastUsedAt: '2026-11-21T10:31:07.118Z' }

const renameKeyRequest = { name: 'Website' }

const renamedKey: KeyRecord = { ...usedKey, ...renameKeyRequest }

const keyPage: KeyPage = {
  data: [
    usedKey,
    {
      keyId: 'k_9dTb7LwXs2Qe',
      name: null,
      hint: 'spool_…Hx3p',
      scopes: ['videos:read', 'videos:write', 'keys:manage'],
      createdAt: '2026-09-02T08:00:12.020Z',
      expiresAt: null,
      lastUsedAt: '2026-11-21T10:31:06.940Z',
      revokedAt: null,
    },
  ],
  nextCursor: null,
}

export const createKey: Described = {
  summary: 'Create an API key',
  description:
    'Creates a key for your account. The answer is the only place where the key itself is shown: the service keeps a hash of it. A key can grant only scopes that it has itself, and a key that ends cannot create one that ends later.',
  body: takes(keys.createKey, 'What the key may do, and until when.', {
    reading: ['A key that may only read', createKeyRequest],
  }),
  responses: {
    201: answer('The key. Store it now.', 'IssuedKey', {
      issued: ['A key that may only read', issuedKey],
    }),
    400: invalid({
      scope: wrong('scopes[1]', 'Must be a scope that your key has; it lacks videos:write'),
    }),
    409: conflict(`The account has ${keysPerAccount} keys that are neither revoked nor expired.`, {
      full: fault(
        'Conflict',
        `The account has ${keysPerAccount} API keys already; revoke one that is no longer needed.`,
      ),
    }),
  },
}

export const listKeys: Described = {
  summary: 'List your API keys',
  description:
    'Every key of the account, newest first, without the keys themselves. Give `nextCursor` back as `cursor` until it is null.',
  query: keys.listKeysQuery,
  responses: {
    200: answer('One page.', 'KeyPage', { page: ['Two keys in use', keyPage] }),
    400: invalid({ cursor: wrong('cursor', 'Must be the nextCursor of an earlier page') }),
  },
}

export const getKey: Described = {
  summary: 'Read one API key',
  description: 'What the key may do, until when, and when it was last used.',
  responses: {
    200: answer('The key.', 'Key', { used: ['A key in use', usedKey] }),
  },
}

export const renameKey: Described = {
  summary: 'Rename an API key',
  description: 'Changes the name that lists show. What the key may do cannot be changed.',
  body: takes(keys.renameKey, 'The new name.', {
    named: ['Another name', renameKeyRequest],
  }),
  responses: {
    200: answer('The key with its new name.', 'Key', { renamed: ['Renamed', renamedKey] }),
    400: invalid({ name: wrong('name', 'Must not be empty') }),
  },
}

export const revokeKey: Described = {
  summary: 'Revoke an API key',
  description:
    'Ends the key: the next request with it is refused. Jobs that it started go on, and links to files stay good. A key may revoke itself. Revoking a key twice changes nothing.',
  responses: {
    204: { description: 'The key is revoked.' },
  },
}
