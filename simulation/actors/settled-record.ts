import { newName, newNotesOf } from './early-rename.ts'

type Read = Record<string, unknown>

/** Fields that may still change: links differ by reader, names and notes can be edited, delivered and expired files go. */
const moving = new Set([
  ...['lastUpdatedAt', 'videoName', 'metadata', 'linksExpireAt', 'destinations', 'warnings'],
  'speakers',
])
const asked = new Set(['fileUrl', 'webhookUrl'])

/** Fields that are absent once nothing is left that could expire. */
export const goes = new Set(['filesExpireAt', 'sourceExpiresAt'])

/** The part of a record that must not change after the end of its video. */
export function settledOf(record: Read): Read {
  const kept = Object.entries(record).filter(
    ([name]) => !moving.has(name) && (asked.has(name) || !/Url$/.test(name)),
  )
  return Object.fromEntries(kept.map(([name, value]) => [name, settledField(name, value)]))
}

function settledField(name: string, value: unknown): unknown {
  if (name === 'transcript' && typeof value === 'object') return settledOf(value as Read)
  // Their links and sizes go with their files.
  if (name === 'outputs' && Array.isArray(value))
    return value.map((one: Read) => ({
      ...one,
      url: undefined,
      bytes: undefined,
      files: undefined,
    }))
  if (name === 'checks' && Array.isArray(value))
    return value.map((one: Read) => ({ ...one, stillUrl: undefined }))
  return value
}

/** Whether its customer renamed it while it was made. */
function isRenamed(field: string, record: Read): boolean {
  return field === 'videoName' && record[field] === newName
}

const echoed = [
  'videoName',
  'fileUrl',
  'uploadId',
  'sourceVideoId',
  'webhookUrl',
  'preset',
] as const

/** The fields in which a final record differs from the request. `mayLack`: results that the bucket lost are left out. */
export function strangeIn(asked: Read, record: Read, mayLack: boolean): string[] {
  const strange: string[] = echoed.filter(
    (name) => name in asked && record[name] !== asked[name] && !isRenamed(name, record),
  )
  const notes = record['videoName'] === newName ? newNotesOf(asked['videoName']) : asked['metadata']
  if (JSON.stringify(record['metadata']) !== JSON.stringify(notes)) strange.push('metadata')
  // Delivered results are not always kept, and a late reader finds no files.
  if (!('finalVideoUrl' in record) || 'destinations' in asked) return strange
  const isStrange = (has: boolean, wish: unknown): boolean => has !== wish && (has || !mayLack)
  return [
    ...strange,
    ...(isStrange('thumbnailUrl' in record, asked['enableThumbnail']) ? ['thumbnailUrl'] : []),
    ...(isStrange(record['hasTranscript'] === true, asked['enableTranscription'])
      ? ['hasTranscript']
      : []),
  ]
}
