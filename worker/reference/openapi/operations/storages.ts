import { storageLimits } from '../../../contract/limits.ts'
import * as storages from '../../../contract/storages/storage.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'
import type { PutStorage, StoragePage, StorageRecord } from '../../../contract/storages/storage.ts'

const putStorageRequest = {
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'my-videos',
  prefix: 'finished',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
} satisfies Partial<PutStorage>

const storage: StorageRecord = {
  name: 'out',
  endpoint: putStorageRequest.endpoint,
  region: putStorageRequest.region,
  bucket: putStorageRequest.bucket,
  prefix: putStorageRequest.prefix,
  addressing: 'path',
  accessKeyId: putStorageRequest.accessKeyId,
  createdAt: '2026-11-21T10:05:30.112Z',
  lastUpdatedAt: '2026-11-21T10:05:30.112Z',
}

const storagePage: StoragePage = { data: [storage], nextCursor: null }

export const listStorages: Described = {
  summary: 'List storages',
  description: 'The buckets of your account, by name.',
  responses: {
    200: answer('All of them.', 'StoragePage', { page: ['One storage', storagePage] }),
  },
}

export const getStorage: Described = {
  summary: 'Read one storage',
  description: 'Where it is and which access key it uses, without the secret of the key.',
  responses: {
    200: answer('The storage.', 'Storage', {
      storage: ['A bucket of Amazon S3', storage],
    }),
  },
}

export const putStorage: Described = {
  summary: 'Create or replace a storage',
  description: `Names a bucket of yours, at any service that speaks S3. Before it is saved it is tried: a small object is written below the prefix, found, read and deleted. If one of these fails, the answer says which and what the storage answered, and nothing changes. The secret of the access key is kept encrypted and shown to nobody. A request that uses the storage, and a delivery that is tried again, use what was saved last. An account has at most ${storageLimits.perAccount} storages.`,
  body: takes(storages.putStorage, 'Where the bucket is, and the access key for it.', {
    s3: ['A folder in a bucket of Amazon S3', putStorageRequest],
  }),
  responses: {
    200: answer('The storage is replaced.', 'Storage', {
      replaced: ['Replaced', storage],
    }),
    201: answer('The storage is created.', 'Storage', { created: ['Created', storage] }),
    400: invalid({
      refused: wrong(
        'accessKeyId',
        'The storage was tried, and an object could not be written (PUT): the storage answered 403, AccessDenied: Access Denied',
      ),
    }),
    409: conflict('The account has too many storages.', {
      full: fault(
        'Conflict',
        `The account has ${storageLimits.perAccount} storages already; delete one first.`,
      ),
    }),
  },
}

export const deleteStorage: Described = {
  summary: 'Delete a storage',
  description:
    'Nothing in the bucket changes. Videos that still wait to be fetched from it, and deliveries that still wait to be made, fail.',
  responses: {
    204: { description: 'It is gone.' },
  },
}
