import { mostParts } from '../contract/direct-upload.ts'

const mebibyte = 1024 * 1024
/** R2 requires equal parts of at least 5 MiB. Small parts are quick to send again; larger ones need fewer addresses. */
const usualPartBytes = 8 * mebibyte
/** Below the 90 MB that every proxied zone lets through in one request, with room to spare. */
const largestPartBytes = 85 * mebibyte
/** A file that would need more parts than this gets larger ones instead. */
const usualParts = 1000

/** The largest file that fits into the number of parts that R2 allows. */
export const largestUploadBytes = mostParts * largestPartBytes

export function choosePartBytes(fileBytes: number): number {
  const wanted = Math.ceil(fileBytes / usualParts / mebibyte) * mebibyte
  return Math.min(largestPartBytes, Math.max(usualPartBytes, wanted))
}

type UploadSizes = { sizeBytes: number | null; partBytes: number }

export function countParts({ sizeBytes, partBytes }: UploadSizes): number {
  return Math.ceil((sizeBytes ?? 0) / partBytes)
}

/** The size of this part: all are equal but the last. Undefined if there is no such part. */
export function partLength(cut: UploadSizes, partNumber: number): number | undefined {
  const count = countParts(cut)
  if (partNumber < 1 || partNumber > count) return undefined
  if (partNumber < count) return cut.partBytes
  return (cut.sizeBytes ?? 0) - (count - 1) * cut.partBytes
}
