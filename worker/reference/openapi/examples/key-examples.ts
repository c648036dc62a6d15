import type {
  CreateKey,
  IssuedKey,
  KeyPage,
  KeyRecord,
} from '../../../contract/people/key-record.ts'

export const createKeyRequest: CreateKey = {
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

export const issuedKey: IssuedKey = {
  apiKey: 'spool_2cVhT8mRw0yKqJ5nZsX4bLdGfE3rKbs5',
  ...created,
}

export const usedKey: KeyRecord = { ...created, lastUsedAt: '2026-11-21T10:31:07.118Z' }

export const renameKeyRequest = { name: 'Website' }

export const renamedKey: KeyRecord = { ...usedKey, ...renameKeyRequest }

export const keyPage: KeyPage = {
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
