import { storageLimits } from '../../../contract/limits.ts'
import * as storages from '../../../contract/storages/storage.ts'
import { answer } from '../answers.ts'
import type { Described } from '../describe-operation.ts'
import { takes } from '../request-bodies.ts'
import * as examples from '../examples/storage-examples.ts'
import { conflict, fault, invalid, wrong } from '../failures.ts'

export const listStorages: Described = {
  summary: 'List storages',
  description: 'The buckets of your account, by name.',
  responses: {
    200: answer('All of them.', 'StoragePage', { page: ['One storage', examples.storagePage] }),
  },
}

export const getStorage: Described = {
  summary: 'Read one storage',
  description: 'Where it is and which access key it uses, without the secret of the key.',
  responses: {
    200: answer('The storage.', 'Storage', {
      storage: ['A bucket of Amazon S3', examples.storage],
    }),
  },
}

export const putStorage: Described = {
  summary: 'Create or replace a storage',
  description: `Names a bucket of yours, at any service that speaks S3. Before it is saved it is tried: a small object is written below the prefix, found, read and deleted. If one of these fails, the answer says which and what the storage answered, and nothing changes. The secret of the access key is kept encrypted and shown to nobody. A request that uses the storage, and a delivery that is tried again, use what was saved last. An account has at most ${storageLimits.perAccount} storages.`,
  body: takes(storages.putStorage, 'Where the bucket is, and the access key for it.', {
    s3: ['A folder in a bucket of Amazon S3', examples.putStorageRequest],
  }),
  responses: {
    200: answer('The storage is replaced.', 'Storage', {
      replaced: ['Replaced', examples.storage],
    }),
    201: answer('The storage is created.', 'Storage', { created: ['Created', examples.storage] }),
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
