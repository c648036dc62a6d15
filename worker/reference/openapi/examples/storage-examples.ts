import type { PutStorage, StoragePage, StorageRecord } from '../../../contract/storages/storage.ts'

export const putStorageRequest = {
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'my-videos',
  prefix: 'finished',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
} satisfies Partial<PutStorage>

export const storage: StorageRecord = {
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

export const storagePage: StoragePage = { data: [storage], nextCursor: null }
