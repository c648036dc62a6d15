import type { SentPart } from '../contract/direct-upload.ts'
import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { limits } from '../contract/limits.ts'
import type { UploadRow } from '../store/tables/tables.ts'
import type { StoredPart } from '../store/objects/upload-parts.ts'
import { latestParts, missingParts, quoteEtag } from './direct-upload.ts'

const bare = (etag: string) => etag.replace(/^(W\/)?"(.*)"$/, '$2')

/**
 * The parts to join. A part number keeps several candidates if it was sent twice at once and the client did not say
 * which one counts.
 */
export function chooseParts(
  upload: UploadRow,
  stored: readonly StoredPart[],
  sent: readonly SentPart[] | undefined,
): readonly StoredPart[] {
  const missing = missingParts(upload, latestParts(stored))
  if (missing.length > 0) throw notReceived(missing)
  if (!sent) return stored
  const faults = compareParts(stored, sent)
  if (faults.length > 0) throw invalidRequest(faults.slice(0, limits.reportedFaults))
  const wanted = new Map(sent.map(({ partNumber, etag }) => [partNumber, bare(etag)]))
  return stored.filter(({ partNumber, etag }) => wanted.get(partNumber) === etag)
}

function notReceived(missing: readonly number[]): AppError {
  const first = missing.slice(0, 20).join(', ')
  const more = missing.length > 20 ? ` and ${missing.length - 20} more` : ''
  const message = `Not all parts have been received; missing: ${first}${more}.`
  const details = missing.slice(0, limits.reportedFaults).map((partNumber) => ({
    field: 'parts',
    message: `Part ${partNumber} has not been received`,
  }))
  return new AppError('Conflict', message, { details })
}

function compareParts(stored: readonly StoredPart[], sent: readonly SentPart[]): FieldFault[] {
  const listed = new Set(sent.map(({ partNumber }) => partNumber))
  const unlisted = latestParts(stored).filter(({ partNumber }) => !listed.has(partNumber))
  return [
    ...sent.flatMap((part, i) => comparePart(part, i, stored, sent)),
    ...unlisted.map(({ partNumber }) => ({
      field: 'parts',
      message: `Part ${partNumber} is not in the list`,
    })),
  ]
}

function comparePart(
  { partNumber, etag }: SentPart,
  i: number,
  stored: readonly StoredPart[],
  sent: readonly SentPart[],
): FieldFault[] {
  const field = `parts[${i}].partNumber`
  if (sent.findIndex((other) => other.partNumber === partNumber) < i) {
    return [{ field, message: `Part ${partNumber} is listed twice` }]
  }
  const known = stored.filter((part) => part.partNumber === partNumber)
  const [last] = known
  if (!last) return [{ field, message: `There is no part ${partNumber}` }]
  if (known.some((part) => part.etag === bare(etag))) return []
  const message = `Part ${partNumber} has the ETag ${quoteEtag(last.etag)}`
  return [{ field: `parts[${i}].etag`, message }]
}
