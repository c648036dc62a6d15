import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { SpeechFailure, type SpeechProvider } from '../../containers/speech/speech-provider.ts'
import { fetchOtherVoices, type VoiceFiles } from './other-voices.ts'
import { makePassage } from './make-sample.ts'
import { rate, readSound, trimmed, writeMp3 } from './voices.ts'

/**
 * The largest shares of English recordings that may be refused, and of other languages that may pass without a warning.
 */
const limits = { refused: 0.01, unwarned: 0.05 }

/** Files of a voice are joined until they are this long; short recordings are one file of a sentence or a few words. */
const leastSeconds = 6
const shortSeconds = { least: 1, most: 4 }
const recordingsOfVoice = 4
const shortOfVoice = 12
/** The first ones of a voice are those that limits were chosen by. */
const chosenBy = 4

type Outcome = 'sure' | 'doubted' | 'refused'
type Count = Record<Outcome, number>

/**
 * Measures how the recogniser judges voices that were not used to choose its weights. Returns the limits that are
 * broken.
 */
export async function measureLanguages(
  speech: SpeechProvider,
  tools: ToolContext,
): Promise<string[]> {
  const voices = await fetchOtherVoices(tools.folder)
  const most = voices.length * recordingsOfVoice
  process.stdout.write(
    `${voices.length} voices, at most ${most} recordings of some ten seconds, and short ones: on two quiet cores ${Math.ceil(most / 15)} minutes\n`,
  )
  const sentences = voices.filter(({ name }) => name.startsWith('sentences'))
  return [
    ...(await measure(speech, tools, { name: 'ten seconds', voices, recordingsOf })),
    ...(await measure(speech, tools, {
      name: `${shortSeconds.least} to ${shortSeconds.most} seconds`,
      voices: sentences,
      recordingsOf: shortRecordingsOf,
    })),
  ]
}

type Measurement = {
  readonly name: string
  readonly voices: readonly VoiceFiles[]
  readonly recordingsOf: (voice: VoiceFiles) => AsyncGenerator<Float32Array>
}

async function measure(
  speech: SpeechProvider,
  tools: ToolContext,
  { name, voices, recordingsOf }: Measurement,
): Promise<string[]> {
  const nothing = (): Count => ({ sure: 0, doubted: 0, refused: 0 })
  const totals = { english: nothing(), other: nothing() }
  process.stdout.write(`\n${name.padEnd(24)}   sure  doubted  refused\n`)
  for (const voice of voices) {
    const count = nothing()
    for await (const sound of recordingsOf(voice)) {
      const outcome = await judge(speech, tools, sound)
      count[outcome] += 1
      totals[voice.isEnglish ? 'english' : 'other'][outcome] += 1
    }
    process.stdout.write(`${rowOf(voice.name, count)}\n`)
  }
  const { english, other } = totals
  process.stdout.write(`${rowOf('English', english)}\n${rowOf('other languages', other)}\n`)
  const shares = { refused: share(english, 'refused'), unwarned: share(other, 'sure') }
  return [
    ...(shares.refused > limits.refused
      ? [`${name}, English refused: ${percent(shares.refused)}`]
      : []),
    ...(shares.unwarned > limits.unwarned
      ? [`${name}, other languages without a warning: ${percent(shares.unwarned)}`]
      : []),
  ]
}

/** Joins files of a voice until they are long enough. */
async function* recordingsOf({ files }: VoiceFiles): AsyncGenerator<Float32Array> {
  let parts: Float32Array[] = []
  let made = 0
  for (const file of files) {
    const samples = trimmed(await readSound(['-i', file]))
    if (samples.length < 0.3 * rate) continue
    parts.push(samples)
    if (parts.reduce((sum, { length }) => sum + length, 0) < leastSeconds * rate) continue
    made += 1
    if (made > chosenBy)
      yield makePassage(parts.map((part) => ({ text: '', samples: part }))).samples
    parts = []
    if (made === chosenBy + recordingsOfVoice) return
  }
}

/** Announcements by themselves, evenly spread over all of a voice. */
async function* shortRecordingsOf({ files }: VoiceFiles): AsyncGenerator<Float32Array> {
  const step = Math.max(1, Math.floor(files.length / (3 * shortOfVoice)))
  let made = 0
  for (const file of files.filter((_, i) => i % step === 0)) {
    const samples = trimmed(await readSound(['-i', file]))
    const seconds = samples.length / rate
    if (seconds < shortSeconds.least || seconds > shortSeconds.most) continue
    yield samples
    made += 1
    if (made === shortOfVoice) return
  }
}

async function judge(
  speech: SpeechProvider,
  tools: ToolContext,
  samples: Float32Array,
): Promise<Outcome> {
  const file = path.join(tools.folder, 'language.mp3')
  await writeMp3(samples, file)
  const { size: sizeBytes } = await stat(file)
  const audio = { path: file, durationSeconds: samples.length / rate, sizeBytes }
  try {
    const { doubt } = await speech.transcribe(audio, tools)
    return doubt === undefined ? 'sure' : 'doubted'
  } catch (error) {
    if (error instanceof SpeechFailure) return 'refused'
    throw error
  }
}

function share(count: Count, outcome: Outcome): number {
  return count[outcome] / (count.sure + count.doubted + count.refused)
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`

function rowOf(name: string, { sure, doubted, refused }: Count): string {
  return [
    name.padEnd(24),
    String(sure).padStart(6),
    String(doubted).padStart(8),
    String(refused).padStart(8),
  ].join(' ')
}
