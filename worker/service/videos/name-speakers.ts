import { invalidRequest } from '../../contract/answers/errors.ts'
import { translationKind, type OutputKind } from '../../contract/job/media-job.ts'
import {
  readVtt,
  writeSrt,
  writeText,
  writeVtt,
  type Caption,
} from '../../contract/captions/write-captions.ts'
import {
  transcriptFile,
  transcriptFormats,
  type TranscriptFile,
  type TranscriptFormat,
  type WhoSpeaks,
} from '../../contract/video/transcript.ts'
import type { Env } from '../../settings.ts'
import { callStorage } from '../../store/database.ts'
import { writeToBucket } from '../../store/objects/refused-writes.ts'
import type { KeptTranscript, StoredOutput, VideoRow } from '../../store/tables/tables.ts'
import { describeError, log } from '../log.ts'
import { openTranscript, requireCompleted } from './transcript-file.ts'

/** By what the job called somebody. */
type SpeakerNames = Readonly<Record<string, string>>
type Renamed = NonNullable<KeptTranscript['renamed']>

const kindOf = (format: TranscriptFormat) => `transcript-${format}` as const

/**
 * Writes the files of a transcript and of its translations once more with these names, beside those that the job has
 * written: links to those keep their bytes, and the first names can be given back. Undefined if nobody gets another name.
 */
export async function writeRenamed(
  env: Env,
  video: VideoRow,
  names: SpeakerNames,
): Promise<Renamed | undefined> {
  requireCompleted(video)
  refuseUnknown(video.transcript, names)
  const other = Object.entries(names).filter(([heard, name]) => heard !== name)
  if (other.length === 0) return undefined
  const renames = Object.fromEntries(other)
  const texts = await Promise.all([
    transcriptTexts(env, video, renames),
    translationTexts(env, video, renames),
  ])
  return { names: renames, files: await storeAll(env, video, texts.flat()) }
}

type NamedText = readonly [kind: OutputKind, text: string]

async function transcriptTexts(
  env: Env,
  video: VideoRow,
  names: SpeakerNames,
): Promise<NamedText[]> {
  const [json, vtt] = await Promise.all([
    readFile(env, video, 'transcript-json'),
    readFile(env, video, 'transcript-vtt'),
  ])
  const texts = renameTranscript({ file: transcriptFile.parse(JSON.parse(json)), vtt }, names)
  return transcriptFormats.map((format) => [kindOf(format), texts[format]])
}

/** Captions in other languages name who speaks as well. */
async function translationTexts(
  env: Env,
  video: VideoRow,
  names: SpeakerNames,
): Promise<NamedText[]> {
  const languages = video.request.captions?.translateTo ?? []
  const made = languages.filter((one) => video.result?.outputs[translationKind(one, 'vtt')])
  const texts = await Promise.all(
    made.map(async (language): Promise<NamedText[]> => {
      const vtt = await readFile(env, video, translationKind(language, 'vtt'))
      const captions = renameCaptions(vtt, names)
      return [
        [translationKind(language, 'vtt'), writeVtt(captions)],
        [translationKind(language, 'srt'), writeSrt(captions)],
      ]
    }),
  )
  return texts.flat()
}

async function readFile(env: Env, video: VideoRow, kind: OutputKind): Promise<string> {
  const file = await openTranscript(env, video, video.result?.outputs[kind])
  return callStorage(() => file.text())
}

/** In the folders of the first files, so that both go at the same time. Stores all of them or none. */
async function storeAll(
  env: Env,
  video: VideoRow,
  texts: readonly NamedText[],
): Promise<Renamed['files']> {
  const folder = `${video.id}-${crypto.randomUUID()}`
  const files = texts.flatMap(([kind, text]) => {
    const first = video.result?.outputs[kind]
    return first
      ? [{ kind, text, first, key: first.key.replace(/[^/]+$/, `named/${folder}/$&`) }]
      : []
  })
  const stored = await Promise.allSettled(
    files.map(async ({ kind, text, first, key }) => {
      const object = await callStorage(async () =>
        writeToBucket(async () =>
          env.BUCKET.put(key, text, { httpMetadata: { contentType: first.contentType } }),
        ),
      )
      return [kind, { ...first, key, sizeBytes: object.size, etag: object.httpEtag }] as const
    }),
  )
  const failed = stored.find((one) => one.status === 'rejected')
  if (failed) {
    await tryToRemove(env, files)
    throw failed.reason
  }
  return Object.fromEntries(
    stored.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
  )
}

/** Removes files that no row names any more. */
export async function removeRenamed(env: Env, renamed: Renamed | undefined): Promise<void> {
  await removeFiles(env, Object.values(renamed?.files ?? {}))
}

/** The same where it may fail: what stays goes with the other files of the video. */
export async function tryToRemoveRenamed(env: Env, renamed: Renamed | undefined): Promise<void> {
  await tryToRemove(env, Object.values(renamed?.files ?? {}))
}

type Stored = Pick<StoredOutput, 'key'> | undefined

async function removeFiles(env: Env, files: readonly Stored[]): Promise<void> {
  const keys = files.flatMap((file) => file?.key ?? [])
  if (keys.length > 0) await callStorage(() => env.BUCKET.delete(keys))
}

async function tryToRemove(env: Env, files: readonly Stored[]): Promise<void> {
  try {
    await removeFiles(env, files)
  } catch (error) {
    log('warn', 'named transcripts were not removed', describeError(error))
  }
}

function refuseUnknown(kept: KeptTranscript | null, names: SpeakerNames): void {
  const known = (kept?.speakers ?? []).map(({ name }) => name)
  const unknown = Object.keys(names).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const who =
    known.length === 0
      ? 'nobody told who speaks in this video; ask for speakers when you create it'
      : `the job called them ${known.join(', ')}`
  throw invalidRequest(
    unknown.map((name) => ({
      field: `speakerNames.${name}`,
      message: `No speaker of this transcript: ${who}`,
    })),
  )
}

/** A transcript in every format, with other names in it. */
function renameTranscript(
  { file, vtt }: { file: TranscriptFile; vtt: string },
  names: SpeakerNames,
): Record<TranscriptFormat, string> {
  const rename = <Said extends Speech>(said: Said) => withName(said, names)
  const renamed: TranscriptFile = {
    ...file,
    ...withNames(file, names),
    segments: file.segments.map(({ words, ...segment }) => ({
      ...rename(segment),
      ...(words && { words: words.map(rename) }),
    })),
  }
  const captions = renameCaptions(vtt, names)
  return {
    json: JSON.stringify(renamed),
    txt: writeText(renamed),
    srt: writeSrt(captions),
    vtt: writeVtt(captions),
  }
}

function renameCaptions(vtt: string, names: SpeakerNames): Caption[] {
  return readVtt(vtt).map((caption) => withName(caption, names))
}

type Speech = { speaker?: string | undefined }

function withName<Said extends Speech>(said: Said, names: SpeakerNames): Said {
  return said.speaker === undefined ? said : { ...said, speaker: nameOf(said.speaker, names) }
}

function nameOf(heard: string, names: SpeakerNames): string {
  return Object.hasOwn(names, heard) ? (names[heard] ?? heard) : heard
}

/** Who speaks by the names that were given. Two who have the same name are one. */
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
