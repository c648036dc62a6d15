import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLocalSpeech } from '../../containers/speech/local-speech.ts'
import { SpeechThread } from '../../containers/speech/local/speech-thread-client.ts'
import { createVoiceDetector } from '../../containers/speech/local-voice-detector.ts'
import { wordDistance } from '../../containers/speech/local/word-distance.ts'
import type { SpeechProvider } from '../../containers/speech/speech-provider.ts'
import type { Speech, Word } from '../../containers/timeline/speech.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { toolsIn } from '../tools-in.ts'
import {
  conditions,
  makePassage,
  repeated,
  speakSentences,
  wordless,
  type Sample,
  type Sentence,
} from './make-sample.ts'
import { normaliseWords } from './normalise-words.ts'
import { measureLanguages } from './measure-languages.ts'
import { measureOptions } from './measure-options.ts'
import { sentences } from './passages.ts'
import { fetchPeople } from './people.ts'
import { quantile } from './quantile.ts'
import { rate, readSound, voices, writeMp3 } from './voices.ts'

export const speechHelp = `Usage: npm run bench -- speech [options]

Has the local recogniser transcribe sentences spoken by the voices of ffmpeg, clean and under several conditions, and
sounds without words. About two minutes.

  --folder DIR  your own recordings (wav, flac, mp3, m4a), each with its words in a .txt of the same name
  --people      a person's announcements from a Debian package, which apt-get downloads (18 MB), instead of those voices
  --long        ten minutes at once as well
  --options     the same sentences in noise, with pauses and noise removed and the level raised, alone and together
                (about five minutes)
  --only NAME   with --options: only the surroundings whose names begin like this: clean, pink, rain, street
  --languages   voices of people in English and other languages, from Debian packages (290 MB): what is refused,
                doubted and given (about four minutes)
`

/** The most processor time, as a share of real time; decoding the MP3 is not counted. */
const speedLimit = 0.1
const errorLimits: Readonly<Record<string, number>> = { clean: 0.08 }
/** The default of `SPEECH_LANGUAGE_FLOOR`. */
const usualFloor = -1
/** Enough sentences to measure one percent, few enough not to take too long. */
const sentencesInNoise = 12
/** Noise on synthetic voices says nothing about noise on people, so only these have a limit. */
const peopleLimits = { ...errorLimits, 'pink noise, 10 dB': 0.15 }
/** For the first word of a sentence, in seconds: the median, and the 95th percentile. */
const startLimits = { middle: 0.1, most: 0.3 }

type Measured = {
  readonly name: string
  readonly said: number
  readonly errors: number
  readonly offsets: readonly number[]
  readonly seconds: number
  readonly tookSeconds: number
}

export async function runSpeech(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { folder, people, long, options, languages, only } = parse(args)
  const workFolder = await mkdtemp(path.join(tmpdir(), 'spool-bench-speech-'))
  const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 60_000 })
  const speech = createLocalSpeech(thread, { languageFloor: -9, timeoutSeconds: 60 })
  const measure = async (name: string, sample: Sample): Promise<Measured> => {
    stop.throwIfAborted()
    const measured = await measureSample(speech, workFolder, { name, sample, stop })
    process.stdout.write(`${rowOf(measured)}\n`)
    return measured
  }
  try {
    process.stdout.write(`${describeMachine()}\n\n${header}\n`)
    // The first request loads the models.
    await measureSample(speech, workFolder, { name: '', sample: silent, stop })
    const sentencesOf = async () =>
      people ? fetchPeople(workFolder) : speakSentences(voices, sentences)
    const tools = toolsIn(workFolder, stop)
    if (languages) {
      const strict = createLocalSpeech(thread, { languageFloor: usualFloor, timeoutSeconds: 60 })
      return ending(await measureLanguages(strict, tools))
    }
    if (options) {
      const ears = { speech, voices: createVoiceDetector(thread) }
      const some = (await sentencesOf()).slice(0, sentencesInNoise)
      return ending(await measureOptions(ears, tools, { passage: makePassage(some), only }))
    }
    const results = folder
      ? await ownRecordings(folder, measure)
      : await spoken(measure, makePassage(await sentencesOf()), long)
    const memory = Math.round(process.resourceUsage().maxRSS / 1_024)
    process.stdout.write(`\npeak memory of the process ${memory} MB\n`)
    const broken = results.flatMap((measured) =>
      faultsOf(measured, people ? peopleLimits : errorLimits),
    )
    return ending(broken)
  } finally {
    await thread.close()
    await rm(workFolder, { recursive: true, force: true })
  }
}

function ending(faults: readonly string[]): number {
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(faults.length === 0 ? 'ok\n' : 'below the limit\n')
  return faults.length === 0 ? 0 : 1
}

const silent: Sample = { samples: new Float32Array(rate), said: [] }

type Wishes = {
  folder: string | undefined
  people: boolean
  long: boolean
  options: boolean
  languages: boolean
  only: string
}

function parse(args: readonly string[]): Wishes {
  const flag = { type: 'boolean' } as const
  const known = {
    folder: { type: 'string' },
    people: flag,
    long: flag,
    options: flag,
    languages: flag,
    only: { type: 'string' },
  } as const
  const asked = readOptions(args, known, speechHelp)
  const {
    folder,
    people = false,
    long = false,
    options = false,
    languages = false,
    only = '',
  } = asked
  return { folder, people, long, options, languages, only }
}

type Measure = (name: string, sample: Sample) => Promise<Measured>

async function spoken(measure: Measure, passage: Sample, long: boolean): Promise<Measured[]> {
  const results: Measured[] = []
  for (const { name, change } of conditions)
    results.push(await measure(name, { ...passage, samples: await change(passage.samples) }))
  for (const { name, source } of wordless)
    results.push(
      await measure(name, { samples: await readSound(['-f', 'lavfi', '-i', source]), said: [] }),
    )
  if (long) {
    const times = Math.ceil((600 * rate) / passage.samples.length)
    results.push(await measure('ten minutes', repeated(passage, times)))
  }
  return results
}

async function ownRecordings(folder: string, measure: Measure): Promise<Measured[]> {
  const files = (await readdir(folder)).filter((name) => /\.(wav|flac|mp3|m4a)$/.test(name)).sort()
  const results: Measured[] = []
  for (const file of files) {
    const source = path.join(folder, file)
    const text = await readFile(source.replace(/\.\w+$/, '.txt'), 'utf8')
    const samples = await readSound(['-i', source])
    for (const { name, change } of conditions) {
      const said: Sentence[] = [{ text, startTime: Number.NaN }]
      results.push(await measure(`${file}, ${name}`, { samples: await change(samples), said }))
    }
  }
  return results
}

type Request = { readonly name: string; readonly sample: Sample; readonly stop: AbortSignal }

async function measureSample(
  speech: SpeechProvider,
  folder: string,
  { name, sample, stop }: Request,
): Promise<Measured> {
  const file = path.join(folder, 'sample.mp3')
  await writeMp3(sample.samples, file)
  const seconds = sample.samples.length / rate
  const audio = { path: file, durationSeconds: seconds, sizeBytes: (await stat(file)).size }
  const before = process.cpuUsage()
  const heard = await speech.transcribe(audio, toolsIn(folder, stop))
  // The models run on one thread, so this is the elapsed time on an idle machine.
  const { user, system } = process.cpuUsage(before)
  const tookSeconds = (user + system) / 1e6
  return { name, seconds, tookSeconds, ...compare(sample.said, heard) }
}

function compare(
  said: readonly Sentence[],
  { segments }: Speech,
): Pick<Measured, 'said' | 'errors' | 'offsets'> {
  const wanted = said.flatMap(({ text }) => normaliseWords(text))
  const found = segments.flatMap(({ text }) => normaliseWords(text))
  const words = segments.flatMap((segment) => segment.words ?? [])
  return {
    said: wanted.length,
    errors: wordDistance(wanted, found),
    offsets: said.flatMap((sentence) => offsetOf(sentence, words)),
  }
}

const farthest = 1.5

/** The distance between where the first word of a sentence was said and where it was heard. */
function offsetOf({ text, startTime }: Sentence, words: readonly Word[]): number[] {
  const [first] = normaliseWords(text)
  const offsets = words
    .filter((word) => normaliseWords(word.text)[0] === first)
    .map((word) => Math.abs(word.startTime - startTime))
    .filter((offset) => offset < farthest)
  return offsets.length === 0 ? [] : [Math.min(...offsets)]
}

const header =
  'sound                       words   errors     rate   start middle/95 %   of real time'

function rowOf({ name, said, errors, offsets, seconds, tookSeconds }: Measured): string {
  const share = said === 0 ? '' : `${((errors / said) * 100).toFixed(1)} %`
  const starts = offsets.length
    ? `${quantile(offsets, 0.5).toFixed(2)} / ${quantile(offsets, 0.95).toFixed(2)} s`
    : ''
  return [
    name.padEnd(26),
    String(said).padStart(6),
    String(errors).padStart(8),
    share.padStart(8),
    starts.padStart(18),
    (tookSeconds / seconds).toFixed(3).padStart(14),
  ].join(' ')
}

function faultsOf(
  { name, said, errors, offsets, seconds, tookSeconds }: Measured,
  limits: Readonly<Record<string, number>>,
): string[] {
  const faults: string[] = []
  const most = said === 0 ? 0 : (limits[name] ?? Number.POSITIVE_INFINITY) * said
  if (errors > most) faults.push(`${name}: ${errors} errors, at most ${Math.floor(most)} allowed`)
  if (tookSeconds / seconds > speedLimit) faults.push(`${name}: slower than ${speedLimit}`)
  if (name === 'clean' && quantile(offsets, 0.5) > startLimits.middle)
    faults.push(`${name}: words start off by more than ${startLimits.middle} s in the middle`)
  if (name === 'clean' && quantile(offsets, 0.95) > startLimits.most)
    faults.push(
      `${name}: words start off by more than ${startLimits.most} s at the 95th percentile`,
    )
  return faults
}
