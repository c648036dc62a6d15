import { invalidRequest } from '../../contract/answers/errors.ts'
import type { OutputKind } from '../../contract/job/media-job.ts'
import {
  readVtt,
  writeSrt,
  writeText,
  renameVoices,
} from '../../contract/captions/write-captions.ts'
import {
  transcriptFile,
  type TranscriptFile,
  type WhoSpeaks,
} from '../../contract/video/transcript.ts'
import type { ChangeVideo } from '../../contract/options/create-video.ts'
import type { Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import { deleteObjects, writeToBucket } from '../../store/objects/objects.ts'
import type { KeptTranscript, StoredOutput, VideoRow } from '../../store/tables/tables.ts'
import { describeError, log } from '../log.ts'
import { openTranscript, requireCompleted } from './transcript-file.ts'

/** The new names, by the names that the job gave. */
type SpeakerNames = Readonly<Record<string, string>>
export type Renamed = NonNullable<KeptTranscript['renamed']>

/**
 * Writes every file that names speakers once more, beside the job's own: links to the job's files keep their bytes, and
 * its names can be restored. Undefined if all speakers have the job's names; the former files if they have these names
 * already.
 */
export async function writeRenamed(
  env: Env,
  video: VideoRow,
  asked: Exclude<ChangeVideo['speakerNames'], undefined>,
): Promise<Renamed | undefined> {
  requireCompleted(video)
  refuseUnknown(video.transcript, Object.keys(asked ?? {}))
  const before = video.transcript?.renamed
  const names = namesAfter(before?.names ?? {}, asked)
  if (Object.keys(names).length === 0) return undefined
  if (before && isSame(before.names, names)) return before
  return { names, files: await writeAll(env, video, names) }
}

/** A speaker that the request leaves out keeps the present name. */
function namesAfter(
  before: SpeakerNames,
  asked: Readonly<Record<string, string | null>> | null,
): SpeakerNames {
  const all = asked === null ? [] : Object.entries({ ...before, ...asked })
  return Object.fromEntries(
    all.flatMap(([heard, name]) => (name === null || name === heard ? [] : [[heard, name]])),
  )
}

function isSame(one: SpeakerNames, other: SpeakerNames): boolean {
  const heard = Object.keys(one)
  return heard.length === Object.keys(other).length && heard.every((who) => one[who] === other[who])
}

type NamedText = readonly [kind: OutputKind, text: string]

/** The words with their speakers, and the text in paragraphs. */
async function transcriptTexts(
  env: Env,
  video: VideoRow,
  names: SpeakerNames,
): Promise<NamedText[]> {
  const json = await readFile(env, video, 'transcript-json')
  const renamed = renameTranscript(transcriptFile.parse(JSON.parse(json)), names)
  return [
    ['transcript-json', JSON.stringify(renamed)],
    ['transcript-txt', writeText(renamed)],
  ]
}

/** The captions of the transcript, of its translations and of streams name speakers in the same way; sprites name none. */
function captionKinds({ result }: VideoRow): OutputKind[] {
  const { outputs = {}, named = [] } = result ?? {}
  const sprites = named.filter(({ format }) => format === 'sprite').map(({ kind }) => kind)
  return outputKindsOf(outputs).filter(
    (kind) => outputs[kind]?.extension === 'vtt' && !sprites.includes(kind),
  )
}

async function captionTexts(
  env: Env,
  video: VideoRow,
  { kind, names }: { kind: OutputKind; names: SpeakerNames },
): Promise<NamedText[]> {
  const written = await readFile(env, video, kind)
  const vtt = renameVoices(written, (heard) => nameOf(heard, names))
  if (vtt === written) return []
  const kinds = outputKindsOf(video.result?.outputs ?? {})
  const srt = kinds.find((one) => one === kind.replace(/-vtt$/, '-srt'))
  return [[kind, vtt], ...(srt && srt !== kind ? [[srt, writeSrt(readVtt(vtt))] as const] : [])]
}

// Keys of an object are strings to TypeScript.
const outputKindsOf = (outputs: Partial<Record<OutputKind, StoredOutput>>) =>
  Object.keys(outputs) as OutputKind[]

async function readFile(env: Env, video: VideoRow, kind: OutputKind): Promise<string> {
  const file = await openTranscript(env, video, video.result?.outputs[kind])
  return callStorage(() => file.text())
}

/** The folder of renamed files, in that of the job's files. The id of the video follows, because several videos may share those. */
const namedPrefix = 'named/'

/** Few at once: hours of speech in many languages do not fit into memory together. */
const atOnce = 4

/** Writes all files or none. */
async function writeAll(env: Env, video: VideoRow, names: SpeakerNames): Promise<Renamed['files']> {
  const folder = `${video.id}-${crypto.randomUUID()}`
  const rest = ['transcript-json' as const, ...captionKinds(video)]
  const files: Renamed['files'] = {}
  const begun: { key: string }[] = []
  const writeRest = async (): Promise<void> => {
    for (let kind = rest.shift(); kind !== undefined; kind = rest.shift()) {
      const texts =
        kind === 'transcript-json'
          ? await transcriptTexts(env, video, names)
          : await captionTexts(env, video, { kind, names })
      for (const [one, text] of texts) {
        const first = video.result?.outputs[one]
        if (!first) continue
        // In the folder of the job's file, so that both are removed together.
        const key = first.key.replace(/[^/]+$/, `${namedPrefix}${folder}/$&`)
        begun.push({ key })
        files[one] = await store(env, { ...first, key }, text)
      }
    }
  }
  const written = await Promise.allSettled(Array.from({ length: atOnce }, writeRest))
  const failed = written.find((one) => one.status === 'rejected')
  if (!failed) return files
  await tryToRemove(env, begun)
  throw failed.reason
}

async function store(env: Env, file: StoredOutput, text: string): Promise<StoredOutput> {
  const { key, contentType } = file
  const object = await callStorage(() =>
    writeToBucket(async () => env.BUCKET.put(key, text, { httpMetadata: { contentType } })),
  )
  return { ...file, sizeBytes: object.size, etag: object.httpEtag }
}

/** Removes all files ever written with other names for this video, including those that could not be removed earlier. */
export async function removeAllRenamed(env: Env, { id, result }: VideoRow): Promise<void> {
  const first = result?.outputs['transcript-json']
  if (first) await deleteObjects(env.BUCKET, first.key.replace(/[^/]+$/, `${namedPrefix}${id}-`))
}

/** Removes files that no row names any more. */
export async function removeRenamed(env: Env, renamed: Renamed | undefined): Promise<void> {
  await removeFiles(env, Object.values(renamed?.files ?? {}))
}

/** The same where it may fail: files that stay are removed with the video. */
export async function tryToRemoveRenamed(env: Env, renamed: Renamed | undefined): Promise<void> {
  await tryToRemove(env, Object.values(renamed?.files ?? {}))
}

type StoredFile = Pick<StoredOutput, 'key'> | undefined

async function removeFiles(env: Env, files: readonly StoredFile[]): Promise<void> {
  const keys = files.flatMap((file) => file?.key ?? [])
  if (keys.length > 0) await callStorage(() => env.BUCKET.delete(keys))
}

async function tryToRemove(env: Env, files: readonly StoredFile[]): Promise<void> {
  try {
    await removeFiles(env, files)
  } catch (error) {
    log('warn', 'named transcripts were not removed', describeError(error))
  }
}

function refuseUnknown(kept: KeptTranscript | null, named: readonly string[]): void {
  const known = (kept?.speakers ?? []).map(({ name }) => name)
  const unknown = named.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const who =
    known.length === 0
      ? 'the speakers of this video were not told apart; ask for speakers when you create it'
      : `the job called them ${known.join(', ')}`
  throw invalidRequest(
    unknown.map((name) => ({
      field: `speakerNames.${name}`,
      message: `No speaker of this transcript: ${who}`,
    })),
  )
}

function renameTranscript(file: TranscriptFile, names: SpeakerNames): TranscriptFile {
  const rename = <Said extends WithSpeaker>(said: Said) => withName(said, names)
  return {
    ...file,
    ...withNames(file, names),
    segments: file.segments.map(({ words, ...segment }) => ({
      ...rename(segment),
      ...(words && { words: words.map(rename) }),
    })),
  }
}

type WithSpeaker = { speaker?: string | undefined }

function withName<Said extends WithSpeaker>(said: Said, names: SpeakerNames): Said {
  return said.speaker === undefined ? said : { ...said, speaker: nameOf(said.speaker, names) }
}

function nameOf(heard: string, names: SpeakerNames): string {
  return Object.hasOwn(names, heard) ? (names[heard] ?? heard) : heard
}

/** The transcript with the new names. Two speakers who are given the same name become one. */
export function withNames(
  { speakers, speakersCertain }: WhoSpeaks,
  names: SpeakerNames,
): WhoSpeaks {
  const found = new Map<string, { seconds: number; heardAs: string[] }>()
  for (const { name: heard, seconds } of speakers ?? []) {
    const name = nameOf(heard, names)
    const known = found.get(name) ?? { seconds: 0, heardAs: [] }
    const sum = Math.round((known.seconds + seconds) * 100) / 100
    found.set(name, { seconds: sum, heardAs: [...known.heardAs, heard] })
  }
  const named = [...found].map(([name, { seconds, heardAs }]) => {
    const isAsHeard = heardAs.length === 1 && heardAs[0] === name
    return { name, seconds, ...(!isAsHeard && { heardAs }) }
  })
  return {
    ...(speakers && { speakers: named }),
    ...(speakersCertain !== undefined && { speakersCertain }),
  }
}
