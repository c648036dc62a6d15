import type { FetchedFile } from '../../contract/job/report.ts'
import type { ProcessingOptions } from '../../contract/options/options.ts'
import { isSound } from '../../contract/options/outputs/outputs.ts'
import { addressesNamed } from '../../contract/storages/named-storages.ts'
import type { VideoRow } from '../../store/tables/tables.ts'
import { fingerprint } from '../idempotency.ts'
import { pickOptions } from '../jobs/build-media-job.ts'
import type { Foresight, ForeseenResult, Likely } from '../../contract/job/foresight.ts'
import type { StandingVideo } from '../../store/videos/standing.ts'

/** However the one source of a video was sent, the same bytes are the same source. */
const ofOneSource = ['fileUrl', 'file', 'uploadId', 'sourceVideoId']

/**
 * A digest of everything that the result of a request depends on, except the engine that makes it: all that a media worker
 * is told, with the bytes of every file in place of its address. Undefined if the result cannot answer another request.
 */
export async function describeWork(
  { request, name }: Pick<VideoRow, 'request' | 'name'>,
  files: readonly FetchedFile[],
): Promise<string | undefined> {
  // Such a result is removed here once it is delivered, together with the files that another video would use.
  if (request.destinations?.some(({ keep }) => !keep)) return undefined
  const bytesOf = new Map(files.map(({ field, sha256 }) => [field, sha256]))
  const source = ofOneSource.flatMap((field) => bytesOf.get(field) ?? [])
  const clips = request.files?.map((_file, i) => bytesOf.get(`files[${i}].url`))
  if (clips ? clips.includes(undefined) : source.length !== 1) return undefined
  // Without the bytes of a file, its address proves nothing: another file may lie there by now.
  if (addressesNamed(request).some(({ field }) => !bytesOf.has(field))) return undefined
  const options = pickOptions(request)
  const asked = structuredClone({ options: withoutIdle(options), files: request.files })
  for (const [field, sha256] of bytesOf) {
    if (ofOneSource.includes(field)) continue
    const root = field.startsWith('files[') ? asked : asked.options
    if (!replaceAt(root, field, `sha256:${sha256}`)) return undefined
  }
  // Of all results, only the tags of a sound contain the name.
  const title = options.outputs?.some(({ outputFormat }) => isSound(outputFormat)) && name
  return fingerprint({ ...asked, source, title })
}

/** Leaves out options that change nothing. The number of media workers that render a film does not show in it. */
function withoutIdle({ split: _split, ...options }: ProcessingOptions): Record<string, unknown> {
  const { speed, trim = {} } = options
  const idle = [...(speed === 1 ? ['speed'] : []), ...(isIdle(trim) ? ['trim'] : [])]
  const said = Object.entries(options).filter(
    ([name, value]) =>
      value !== false && !(Array.isArray(value) && value.length === 0) && !idle.includes(name),
  )
  return Object.fromEntries(said)
}

function isIdle({ start = 0, end = 0 }: NonNullable<ProcessingOptions['trim']>): boolean {
  return start === 0 && end === 0
}

/** Replaces the address at this field, such as `elements[2].url`. Returns whether one was there. */
function replaceAt(root: object, field: string, value: string): boolean {
  const steps = field.match(/[^.[\]]+/g) ?? []
  const last = steps.pop() ?? ''
  const holder = steps.reduce<unknown>(
    (inner, step) => (isObject(inner) ? inner[step] : undefined),
    root,
  )
  if (!isObject(holder) || typeof holder[last] !== 'string') return false
  holder[last] = value
  return true
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Foresees a result that exists already, with its own length, size and warnings. */
export function tellStanding(
  foreseen: readonly ForeseenResult[],
  { result }: StandingVideo,
): Pick<Foresight, 'results' | 'warnings' | 'unknown'> {
  const results = foreseen.map((one) => ({ ...one, ...measuresOf(one, result) }))
  return { results, warnings: result.warnings, unknown: [] }
}

type Measures = Partial<Pick<ForeseenResult, 'duration' | 'sizeInBytes'>>

function measuresOf({ name }: ForeseenResult, result: StandingVideo['result']): Measures {
  const { videoMetadata, named = [], outputs } = result
  if (name === undefined) return videoMetadata ? measured(videoMetadata) : {}
  const made = named.find((one) => one.name === name)
  if (!made) return {}
  const files = [made.kind, ...(made.files ?? [])].map((kind) => outputs[kind]?.sizeBytes ?? 0)
  return measured({ ...made, sizeInBytes: files.reduce((sum, size) => sum + size, 0) })
}

/** Stills have no duration. */
function measured({
  duration,
  sizeInBytes,
}: {
  duration?: number | undefined
  sizeInBytes: number
}): Measures {
  return {
    ...(duration !== undefined && { duration: certainly(duration) }),
    sizeInBytes: certainly(sizeInBytes),
  }
}

const certainly = (value: number): Likely => ({ likely: value, least: value, most: value })
