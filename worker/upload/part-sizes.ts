import { mostParts } from '../contract/direct-upload.ts'

const mebibyte = 1024 * 1024
/** R2 wants equal parts of at least 5 MiB; small ones are quickly sent again, and few addresses are needed. */
const usualPartBytes = 8 * mebibyte
/** What every proxied zone lets through in one request, with room to spare: 90 MB. */
const largestPartBytes = 85 * mebibyte
/** Above this number of parts, larger ones are better than more of them. */
const usualParts = 1000

/** The largest file that fits in as many parts as R2 allows. */
export const largestUploadBytes = mostParts * largestPartBytes

export function choosePartBytes(fileBytes: number): number {
  const wanted = Math.ceil(fileBytes / usualParts / mebibyte) * mebibyte
  return Math.min(largestPartBytes, Math.max(usualPartBytes, wanted))
}

type Cut = { sizeBytes: number | null; partBytes: number }

export function countParts({ sizeBytes, partBytes }: Cut): number {
  return Math.ceil((sizeBytes ?? 0) / partBytes)
}

/** Bytes of this part: all are equal but the last. Undefined when there is no such part. */
export function partLength(cut: Cut, partNumber: number): number | undefined {
  const count = countParts(cut)
  if (partNumber < 1 || partNumber > count) return undefined
  if (partNumber < count) return cut.partBytes
  return (cut.sizeBytes ?? 0) - (count - 1) * cut.partBytes
}
