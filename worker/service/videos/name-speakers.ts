import { invalidRequest } from '../../contract/answers/errors.ts'
import { readVtt, writeSrt, writeText, writeVtt } from '../../contract/layout/write-captions.ts'
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
import { openTranscript, requireCompleted } from './transcript-file.ts'

/** By what the job called somebody. */
type SpeakerNames = Readonly<Record<string, string>>
type Renamed = NonNullable<KeptTranscript['renamed']>

const kindOf = (format: TranscriptFormat) => `transcript-${format}` as const

/**
 * Writes the files of a transcript once more with these names, beside those that the job has written: what links to
 * those are out there keep their bytes, and the first names can be given back. Undefined if nobody gets another name.
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
  const written = video.result?.outputs ?? {}
  const read = async (format: 'json' | 'vtt') => openTranscript(env, video, written[kindOf(format)])
  const [json, vtt] = await Promise.all([read('json'), read('vtt')])
  const file = transcriptFile.parse(await callStorage(() => json.json()))
  const texts = renameTranscript(
    { file, vtt: await callStorage(() => vtt.text()) },
    Object.fromEntries(other),
  )
  const folder = `${video.id}-${crypto.randomUUID()}`
  const files = await Promise.all(
    transcriptFormats.map(async (format) => {
      const first = written[kindOf(format)]
      return first
        ? [[kindOf(format), await store(env, first, texts[format], folder)] as const]
        : []
    }),
  )
  return { names: Object.fromEntries(other), files: Object.fromEntries(files.flat()) }
}

/** In the folder of the first file, so that both go at the same time. */
async function store(
  env: Env,
  first: StoredOutput,
  text: string,
  folder: string,
): Promise<StoredOutput> {
  const key = first.key.replace(/[^/]+$/, `named/${folder}/$&`)
  const { contentType } = first
  const object = await callStorage(async () =>
    writeToBucket(async () => env.BUCKET.put(key, text, { httpMetadata: { contentType } })),
  )
  return { ...first, key, sizeBytes: object.size, etag: object.httpEtag }
}

/** Removes files that no row names any more. */
export async function removeRenamed(env: Env, renamed: Renamed | undefined): Promise<void> {
  const keys = Object.values(renamed?.files ?? {}).flatMap((file) => file?.key ?? [])
  if (keys.length > 0) await callStorage(() => env.BUCKET.delete(keys))
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
  const rename = <Said extends { speaker?: string | undefined }>(said: Said): Said =>
    said.speaker === undefined ? said : { ...said, speaker: nameOf(said.speaker, names) }
  const renamed: TranscriptFile = {
    ...file,
    ...withNames(file, names),
    segments: file.segments.map(({ words, ...segment }) => ({
      ...rename(segment),
      ...(words && { words: words.map(rename) }),
    })),
  }
  const captions = readVtt(vtt).map(rename)
  return {
    json: JSON.stringify(renamed),
    txt: writeText(renamed),
    srt: writeSrt(captions),
    vtt: writeVtt(captions),
  }
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
