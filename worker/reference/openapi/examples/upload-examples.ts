import type { z } from 'zod'
import type {
  ReceivedPart,
  uploadCompleted,
  uploadOpened,
  uploadRecord,
} from '../../../contract/direct-upload.ts'

export const uploadId = 'u_Zb4nR8xK2mQ7tW1c'
const expiresAt = '2026-11-22T10:14:21.902Z'
const partSize = 8_388_608

const urlOf = (partNumber: number) =>
  `https://spool.example.com/parts/${uploadId}.${partNumber}.1795342461.${'5d41402abc4b2a76'.repeat(4)}`

const address = (partNumber: number) => ({ partNumber, url: urlOf(partNumber) })

export const createUpload = {
  fileName: 'keynote.mp4',
  sizeInBytes: 20_000_000,
  contentType: 'video/mp4',
}

export const opened: z.infer<typeof uploadOpened> = {
  uploadId,
  partSize,
  parts: [address(1), address(2), address(3)],
  expiresAt,
}

export const receivedPart: ReceivedPart = {
  partNumber: 1,
  etag: '"9f86d081884c7d65"',
  sizeInBytes: partSize,
}

const record = {
  uploadId,
  fileName: createUpload.fileName,
  sizeInBytes: createUpload.sizeInBytes,
  partSize,
  expiresAt,
}

export const interrupted: z.infer<typeof uploadRecord> = {
  ...record,
  status: 'open',
  receivedParts: [receivedPart],
  parts: [address(2), address(3)],
}

export const used: z.infer<typeof uploadRecord> = {
  ...record,
  status: 'used',
  receivedParts: [
    receivedPart,
    { ...receivedPart, partNumber: 2, etag: '"60303ae22b998861"' },
    { partNumber: 3, etag: '"fd61a03af4f77d87"', sizeInBytes: 3_222_784 },
  ],
  parts: [],
  videoId: 'v_3kTMd92L',
}

export const completeUpload = {
  parts: used.receivedParts.map(({ partNumber, etag }) => ({ partNumber, etag })),
}

export const completed: z.infer<typeof uploadCompleted> = {
  uploadId,
  status: 'ready',
  expiresAt: '2026-11-22T10:16:02.117Z',
}
