import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLocalSpeech } from '../../containers/speech/local-speech.ts'
import { SpeechThread } from '../../containers/speech/local/speech-thread-client.ts'
import { createVoiceDetector } from '../../containers/speech/local-voice-detector.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { mixAt, rate } from '../sound/mix.ts'
import { noises, type NoiseName } from '../sound/noises.ts'
import { fetchRecordings } from '../sound/recorded-noises.ts'
import { speakSentences } from '../speech/make-sample.ts'
import { sentences } from '../speech/passages.ts'
import { fetchPeople } from '../speech/people.ts'
import { voices } from '../speech/voices.ts'
import { toolsIn } from '../tools-in.ts'
import { cutTalk, type CutTalk } from './cut-talk.ts'
import { makeTalk, type Talk } from './make-talk.ts'

export const pausesHelp = `Usage: npm run bench -- pauses [options]

Has pauses cut out of sentences spoken by the voices of ffmpeg, in quiet and in noises: which share of them goes, and
whether the recogniser still hears the same words. Some four minutes.

  --only NAME     only the sounds whose names begin like this: quiet, pink, rain, street, crowd, music
  --people        a person's announcements from a Debian package, which apt-get downloads (18 MB), instead of those voices
  --recorded DIR  recorded noises and pieces of music as well, from a Debian package that apt-get downloads into this
                  folder (44 MB)
`

type Condition = {
  readonly name: string
  readonly noise?: () => Promise<Float32Array>
  readonly ratioDb?: number
  /** The smallest share of the pauses to be cut, without the padding that is left on purpose. */
  readonly least: number
  readonly most?: number
}

const made = (noise: NoiseName) => async () => noises[noise](noiseSeconds)
const leastAt = [
  [18, 0.9],
  [10, 0.75],
] as const

const conditions: readonly Condition[] = [
  { name: 'quiet', least: 0.94 },
  ...(['pink', 'rain', 'street', 'crowd'] as const).flatMap((name) => inNoise(name, made(name))),
  ...inMusic('music', made('music')),
  { name: 'music, 28 dB', noise: made('music'), ratioDb: 28, least: 0.9 },
]

function inNoise(name: string, noise: () => Promise<Float32Array>): Condition[] {
  return leastAt.map(([ratioDb, least]) => ({
    name: `${name}, ${ratioDb} dB`,
    noise,
    ratioDb,
    least,
  }))
}

function inMusic(name: string, noise: () => Promise<Float32Array>): Condition[] {
  return [6, 10, 14].map((ratioDb) => {
    return { name: `${name}, ${ratioDb} dB`, noise, ratioDb, least: 0, most: 0.05 }
  })
}

async function recordedConditions(folder: string): Promise<Condition[]> {
  const { noise, piece } = await fetchRecordings(folder)
  const from = 20 * rate
  return [
    ...(['street', 'market', 'stadium'] as const).flatMap((name) =>
      inNoise(`${name} recorded`, async () => noise(name)),
    ),
    ...(['electronic', 'blues', 'piano'] as const).flatMap((name) =>
      inMusic(`music, ${name}`, async () => (await piece(name)).subarray(from, from + 60 * rate)),
    ),
  ]
}

/** Returns 0 if every share is within its limits and no word is lost, otherwise 1. */
export async function runPauses(args: readonly string[], stop: AbortSignal): Promise<number> {
  const text = { type: 'string' } as const
  const options = { people: { type: 'boolean' }, only: text, recorded: text } as const
  const { people = false, only = '', recorded } = readOptions(args, options, pausesHelp)
  const all = recorded ? [...conditions, ...(await recordedConditions(recorded))] : conditions
  const wanted = all.filter(({ name }) => name.startsWith(only))
  if (wanted.length === 0)
    throw new StopWithMessage(`No sound begins with ${only}.\n\n${pausesHelp}`, 2)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-pauses-')))
  const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 60_000 })
  const speech = createLocalSpeech(thread, { languageFloor: -9, timeoutSeconds: 60 })
  const ears = { speech, voices: createVoiceDetector(thread), tools: toolsIn(folder, stop) }
  try {
    process.stdout.write(`${describeMachine()}\n\n${header}\n`)
    const talk = await makeTalk(
      people ? await fetchPeople(folder) : await speakSentences(voices, sentences),
    )
    const faults: string[] = []
    for (const condition of wanted) {
      stop.throwIfAborted()
      const samples = await soundOf(talk, condition)
      const cut = await cutTalk(ears, { ...talk, samples })
      process.stdout.write(`${rowOf(condition.name, cut, talk.said.length)}\n`)
      faults.push(...faultsOf(condition, cut, talk.said.length))
    }
    for (const fault of faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(faults.length === 0 ? '\nok\n' : '\nbelow the limit\n')
    return faults.length === 0 ? 0 : 1
  } finally {
    await thread.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const noiseSeconds = 60

async function soundOf(
  { samples }: Talk,
  { noise, ratioDb = 0 }: Condition,
): Promise<Float32Array> {
  return noise ? mixAt(samples, await noise(), ratioDb) : samples
}

const header =
  'sound                     pauses s     cut s   of all  but padding   cuts   errors before    after'

function rowOf(name: string, cut: CutTalk, words: number): string {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
  return [
    name.padEnd(24),
    cut.gapSeconds.toFixed(1).padStart(9),
    cut.cutSeconds.toFixed(1).padStart(9),
    percent(cut.cutSeconds / cut.gapSeconds).padStart(8),
    percent(cut.share).padStart(12),
    String(cut.cuts).padStart(6),
    percent(cut.errorsBefore / words).padStart(15),
    percent(cut.errorsAfter / words).padStart(9),
  ].join(' ')
}

/** Cuts move sentences to other windows of the recogniser, which changes a few words for better or worse. */
const moreErrorsAllowed = 0.01

function faultsOf(
  { name, least, most = Infinity }: Condition,
  cut: CutTalk,
  words: number,
): string[] {
  const faults: string[] = []
  if (cut.share < least) faults.push(`${name}: less than ${least * 100} % of the pauses is cut`)
  if (cut.share > most) faults.push(`${name}: more than ${most * 100} % is cut`)
  if (cut.spokenSeconds > 0.1)
    faults.push(`${name}: ${cut.spokenSeconds.toFixed(2)} s outside of the pauses is cut`)
  if (cut.errorsAfter > cut.errorsBefore + moreErrorsAllowed * words)
    faults.push(`${name}: ${cut.errorsAfter} word errors instead of ${cut.errorsBefore}`)
  return faults
}
