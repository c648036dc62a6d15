import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createLocalSpeech } from '../../containers/speech/local-speech.ts'
import { SpeechThread } from '../../containers/speech/local/speech-thread-client.ts'
import { wordDistance } from '../../containers/speech/local/moonshine/language-score.ts'
import type { SpeechProvider } from '../../containers/speech/speech-provider.ts'
import type { Word } from '../../containers/timeline/speech.ts'
import { rate, readSound } from '../../test/support/containers/sound/voices.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { toolsIn } from '../tools-in.ts'
import {
  conditions,
  makePassage,
  speakSentences,
  wordless,
  type Sample,
  type Sentence,
} from './make-sample.ts'
import { fetchPeople } from './people.ts'

/** The most processor time, as a share of real time; ffmpeg is not counted. */
const mostTime = 0.1
/** The largest allowed shares of wrong words. Noise on synthetic voices says nothing about noise on people. */
const mostErrors = { usual: 0.08, noiseOnPeople: 0.15 }
/** The largest allowed error of when a sentence's first word begins, in seconds. */
const startLimits = { middle: 0.1, most: 0.3 }

export const speech = benchmark({
  summary: 'the local speech recogniser: word errors, word times, speed, memory',
  takes: 'two minutes',
  about: `Has the local recogniser transcribe sentences spoken by the voices of ffmpeg, clean and under several conditions, and sounds
without words.`,
  switches: { people: "a person's announcements instead, which apt-get downloads (18 MB)" },
  async measure({ people }, run) {
    const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 60_000 })
    run.atEnd(async () => thread.close())
    const provider = createLocalSpeech(thread, { languageFloor: -9, timeoutSeconds: 60 })
    const hear = async (sample: Sample) => {
      run.stop.throwIfAborted()
      return measureSample(provider, sample, run)
    }
    // The first request loads the models.
    await hear({ samples: new Float32Array(rate), said: [] })
    const spoken = people ? await fetchPeople(run.folder) : await speakSentences()
    const passage = makePassage(spoken)
    const inNoise = people ? mostErrors.noiseOnPeople : Infinity
    say('sound                       words   errors     rate   start middle/95 %   of real time')
    for (const { name, change } of conditions) {
      const heard = await hear({ ...passage, samples: await change(passage.samples) })
      judgeHeard(name, heard, name.startsWith('pink noise') ? inNoise : mostErrors.usual, run)
      if (name === 'clean') judgeStarts(heard, run)
    }
    for (const { name, source } of wordless) {
      const samples = await readSound(['-f', 'lavfi', '-i', source])
      judgeHeard(name, await hear({ samples, said: [] }), 0, run)
    }
    say(`peak memory of the process ${Math.round(process.resourceUsage().maxRSS / 1_024)} MB`)
  },
})

type HeardScore = {
  readonly said: number
  readonly errors: number
  /** The seconds between when the first word of each sentence was said and when it was heard. */
  readonly offsets: readonly number[]
  /** Processor time as a share of the length of the sound. */
  readonly time: number
}

async function measureSample(
  provider: SpeechProvider,
  { samples, said }: Sample,
  run: Run,
): Promise<HeardScore> {
  const file = path.join(run.folder, 'sample.f32')
  await writeFile(file, samples)
  const durationSeconds = samples.length / rate
  const { size: sizeBytes } = await stat(file)
  const audio = { path: file, format: 'f32le' as const, durationSeconds, sizeBytes }
  const before = process.cpuUsage()
  const { segments } = await provider.transcribe(audio, toolsIn(run))
  // The models run on one thread, so this is the elapsed time on an idle machine.
  const { user, system } = process.cpuUsage(before)
  const wanted = said.flatMap(({ text }) => normaliseWords(text))
  const found = segments.flatMap(({ text }) => normaliseWords(text))
  const words = segments.flatMap((segment) => segment.words ?? [])
  return {
    said: wanted.length,
    errors: wordDistance(wanted, found),
    offsets: said.flatMap((sentence) => offsetOf(sentence, words)),
    time: (user + system) / 1e6 / durationSeconds,
  }
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** The words of a text in the form in which they are compared, so that spelling does not count. */
function normaliseWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll(/\d+/g, (digits) => ` ${numbers[Number(digits)] ?? digits} `)
      .replaceAll('’', "'")
      .replaceAll(/\b(that|this|it|there|who|what)'s\b/g, '$1 is')
      .replaceAll(/\bcannot\b|\bcan't\b/g, 'can not')
      .replaceAll("n't", ' not')
      // A person who says "I am" may be heard as "I'm".
      .replaceAll(/'m\b/g, ' am')
      .replaceAll(/'re\b/g, ' are')
      .replaceAll(/'ll\b/g, ' will')
      .replaceAll(/'ve\b/g, ' have')
      .replaceAll("'", '')
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  )
}

const farthest = 1.5

function offsetOf({ text, startTime }: Sentence, words: readonly Word[]): number[] {
  const [first] = normaliseWords(text)
  const offsets = words
    .filter((word) => normaliseWords(word.text)[0] === first)
    .map((word) => Math.abs(word.startTime - startTime))
    .filter((offset) => offset < farthest)
  return offsets.length === 0 ? [] : [Math.min(...offsets)]
}

function judgeHeard(name: string, heard: HeardScore, mostShare: number, { judge }: Run): void {
  const { said, errors, offsets, time } = heard
  const middle = `${median(offsets).toFixed(2)} / ${quantile(offsets, 0.95).toFixed(2)} s`
  const cells = [
    name.padEnd(26),
    String(said).padStart(6),
    String(errors).padStart(8),
    (said === 0 ? '' : `${((errors / said) * 100).toFixed(1)} %`).padStart(8),
    (offsets.length === 0 ? '' : middle).padStart(18),
    time.toFixed(3).padStart(14),
  ]
  // In a sample without words, every word that is heard is an error.
  const most = said === 0 ? 0 : Math.floor(mostShare * said)
  const limit = `${Number.isFinite(most) ? `${most} errors, ` : ''}${mostTime} of real time`
  judge(cells.join(' '), limit, errors <= most && time <= mostTime)
}

function judgeStarts({ offsets }: HeardScore, { judge }: Run): void {
  const { middle, most } = startLimits
  const isKept = median(offsets) <= middle && quantile(offsets, 0.95) <= most
  judge('first words of clean sentences', `${middle} / ${most} s off`, isKept)
}
