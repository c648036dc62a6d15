import type { MediaJob, outputKinds } from '../../../worker/contract/job/media-job.ts'
import type { StillKind } from '../../../worker/contract/job/check.ts'
import type { NamedOutput, UploadedOutput } from '../../../worker/contract/job/report.ts'
import { isNamed, unheardFilm } from './told-of-work.ts'
import type { World } from '../../engine/world.ts'

type UsualKind = Exclude<(typeof outputKinds)[number], StillKind>
export type Kind = UsualKind | StillKind | `output-${string}`
type Options = MediaJob['options']

/** How often a media worker may tell wrongly what it has stored. */
const wronglyTold = 0.2

const transcripts = [
  'transcript-json',
  'transcript-txt',
  'transcript-srt',
  'transcript-vtt',
] as const
const film = ['mp4', 'video/mp4'] as const
const picture = ['jpg', 'image/jpeg'] as const
const types: Record<UsualKind, readonly [extension: string, contentType: string]> = {
  final: film,
  thumbnail: picture,
  'transcript-json': ['json', 'application/json'],
  'transcript-txt': ['txt', 'text/plain'],
  'transcript-srt': ['srt', 'application/x-subrip'],
  'transcript-vtt': ['vtt', 'text/vtt'],
}

export function typeOf(kind: Kind): readonly [extension: string, contentType: string] {
  if (kind.startsWith('check-')) return picture
  return types[kind as UsualKind] ?? film
}

/** The files that a job makes. Of several videos the first is the final one. */
export function kindsOf(job: MediaJob): Kind[] {
  const { outputs, enableThumbnail, enableTranscription } = job.options
  const hasWords = enableTranscription && !isNamed(job, unheardFilm)
  return [
    'final',
    ...(outputs ?? []).slice(1).flatMap(({ name }) => [`output-${name}` as const, secondOf(name)]),
    ...(enableThumbnail ? (['thumbnail'] as const) : []),
    ...(hasWords ? transcripts : []),
  ]
}

/** All but the first of them consist of two files. */
const secondOf = (name: string) => `output-${name}.v1` as const

/** What its media worker tells of the videos that have names. */
export function namedOf({ outputs }: Options): NamedOutput[] | undefined {
  return outputs?.map(({ name }, i) => ({
    ...{ name, kind: i === 0 ? 'final' : (`output-${name}` as const), format: 'mp4' },
    ...(i > 0 && { files: [secondOf(name)] }),
    ...{ width: 640, height: 360, duration: 10, warnings: [] },
  }))
}

/** What its media worker tells of the files. Some leave out one that was asked for, or say that it has another size. */
export function toldOf(
  world: World,
  work: string,
  outputs: UploadedOutput[],
  hasNoStill: boolean,
): UploadedOutput[] {
  if (hasNoStill)
    return outputs.map((one) =>
      one.kind === 'thumbnail' ? { ...one, sizeBytes: one.sizeBytes + 1 } : one,
    )
  const drawn = world.draw(`tells wrongly what ${work} has stored`) / wronglyTold
  if (drawn >= 1 || !world.faults.strikes('work fails', `files of ${work}`)) return outputs
  const wrong = outputs.findLast(({ kind }) => kind === 'final' || kind.startsWith('output-'))
  return drawn < 0.5 && outputs.length > 1
    ? outputs.filter((one) => one !== wrong)
    : outputs.map((one) => (one === wrong ? { ...one, sizeBytes: one.sizeBytes + 1 } : one))
}
