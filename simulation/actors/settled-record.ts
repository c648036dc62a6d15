import { newName } from './early-rename.ts'

type Read = Record<string, unknown>

/** Links are made for each reader, names and notes may be changed, and what is delivered or has expired is not there any more. */
const moving = new Set([
  ...['lastUpdatedAt', 'videoName', 'metadata', 'linksExpireAt', 'destinations', 'warnings'],
  'speakers',
])
const asked = new Set(['fileUrl', 'webhookUrl'])

/** Is left out once there is nothing any more that could expire. */
export const goes = new Set(['filesExpireAt', 'sourceExpiresAt'])

/** What of a record changes no more once its video has ended. */
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

/** By its customer, while it was made. */
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

/** What a record that has ended tells differently from what was asked for. `mayLack`: what the bucket lost is left out. */
export function strangeIn(asked: Read, record: Read, mayLack: boolean): string[] {
  const strange = echoed.filter(
    (name) => name in asked && record[name] !== asked[name] && !isRenamed(name, record),
  )
  // What was delivered is not always kept, and who looks late finds no files.
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
