import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLocalSpeech } from '../../containers/speech/local-speech.ts'
import { createVoiceDetector } from '../../containers/speech/local-voice-detector.ts'
import { SpeechThread } from '../../containers/speech/local/speech-thread-client.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { voices, type Voice } from '../speech/voices.ts'
import { toolsIn } from '../tools-in.ts'
import { fillers, others, type Kind } from './clips.ts'
import { cutFillers, type Cut, type CutTalk, type Ears } from './cut-fillers.ts'
import { makeTalk, repeatedStarts, surroundings, type Label, type Talk } from './make-talk.ts'

export const fillersHelp = `Usage: npm run bench -- fillers [options]

Has fillers and repeated starts cut out of sentences spoken by the voices of ffmpeg, between words, sounds and hums that
have to stay: how many of the cuts are right, and how many of the fillers are found. Some six minutes.

  --only NAME   only the kinds whose names begin like this
  --list        every cut that is wrong
`

/** The least share of all cuts that has to be right. */
const leastPrecision = 0.95
/** Looking for what was not written may take this share of the time of hearing. */
const mostCost = 0.15

type Sample = { readonly name: string; readonly make: () => Promise<Talk> }
type Tally = {
  readonly name: string
  readonly fillers: number
  readonly found: number
  /** Of those found, how many were not written by the recogniser. */
  readonly heard: number
  readonly wrong: readonly Cut[]
}

/** Returns 0 if the limits are kept, otherwise 1. */
export async function runFillers(args: readonly string[], stop: AbortSignal): Promise<number> {
  const options = { only: { type: 'string' }, list: { type: 'boolean' } } as const
  const { only = '', list = false } = readOptions(args, options, fillersHelp)
  const wanted = samples().filter(({ name }) => name.startsWith(only))
  if (wanted.length === 0)
    throw new StopWithMessage(`No kind begins with ${only}.\n\n${fillersHelp}`, 2)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-fillers-')))
  const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 60_000 })
  const speech = createLocalSpeech(thread, { languageFloor: -9, timeoutSeconds: 60 })
  const ears: Ears = { speech, voices: createVoiceDetector(thread), tools: toolsIn(folder, stop) }
  try {
    process.stdout.write(`${describeMachine()}\n\n${header}\n`)
    const tallies: Tally[] = []
    let [hear, look] = [0, 0]
    for (const { name, make } of wanted) {
      stop.throwIfAborted()
      const talk = await make()
      const cut = await cutFillers(ears, talk)
      hear += cut.hearSeconds
      look += cut.lookSeconds
      const tally = tallyOf(name, talk, cut)
      tallies.push(tally)
      process.stdout.write(`${rowOf(tally)}\n`)
      if (list) for (const wrong of tally.wrong) process.stdout.write(`  ${describeCut(wrong)}\n`)
    }
    return ending(tallies, look / hear)
  } finally {
    await thread.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fillers clean by every voice, and in each of the surroundings by one of them; then everything that has to stay. */
function samples(): Sample[] {
  const by = (kind: Kind, voice: Voice): Sample => ({
    name: `${kind.name}, ${voice}`,
    make: () => makeTalk(voice, kind),
  })
  const clean = [...fillers, ...others].flatMap((kind) => voices.map((voice) => by(kind, voice)))
  const changed = [...fillers.slice(1, 2), ...others.slice(0, 2)].flatMap((kind, k) =>
    surroundings
      .filter((_, i) => kind.isFiller || i % 2 === k % 2)
      .map(({ name, change }, i): Sample => {
        const voice = voices[(i + k) % voices.length] ?? 'slt'
        return {
          name: `${kind.name}, ${voice}, ${name}`,
          make: async () => {
            const talk = await makeTalk(voice, kind)
            return { ...talk, samples: await change(talk.samples) }
          },
        }
      }),
  )
  const again = voices.map((voice): Sample => {
    return { name: `repeated starts, ${voice}`, make: () => repeatedStarts(voice) }
  })
  return [...clean, ...changed, ...again]
}

function tallyOf(name: string, { labels }: Talk, { cuts }: CutTalk): Tally {
  const right = labels.flatMap((label) => cuts.find((cut) => isRight(cut, label)) ?? [])
  return {
    name,
    fillers: labels.length,
    found: right.length,
    heard: right.filter(({ isHeard }) => isHeard).length,
    wrong: cuts.filter((cut) => !labels.some((label) => isRight(cut, label))),
  }
}

/** A pause beside a filler may go too, but no more of a word than its times may be wrong. */
const beside = 0.16

function isRight(cut: Cut, { from, to }: Label): boolean {
  const shared = Math.min(cut.to, to) - Math.max(cut.from, from)
  return shared >= (to - from) / 2 && cut.from >= from - beside && cut.to <= to + beside
}

function ending(tallies: readonly Tally[], cost: number): number {
  const sum = (of: (tally: Tally) => number): number =>
    tallies.reduce((total, tally) => total + of(tally), 0)
  const [found, wrong, all] = [
    sum((tally) => tally.found),
    sum(({ wrong: cuts }) => cuts.length),
    sum((tally) => tally.fillers),
  ]
  const precision = found + wrong === 0 ? 1 : found / (found + wrong)
  const unwritten = sum(({ heard }) => heard)
  const wrongHeard = sum(({ wrong: cuts }) => cuts.filter(({ isHeard }) => isHeard).length)
  process.stdout.write(`
${found + wrong} cuts, ${found} of them right: precision ${percent(precision)}; recall ${percent(found / all)} of ${all}
by sound alone: ${unwritten + wrongHeard} cuts, ${unwritten} of them right
looking for what was not written took ${percent(cost)} of the time of hearing
`)
  const faults = [
    ...(precision < leastPrecision ? [`precision is below ${percent(leastPrecision)}`] : []),
    ...(cost > mostCost ? [`it takes more than ${percent(mostCost)} of hearing`] : []),
  ]
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(faults.length === 0 ? '\nok\n' : '\nbelow the limit\n')
  return faults.length === 0 ? 0 : 1
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const header = 'kind                                      fillers  found  unwritten  wrong'

function rowOf({ name, fillers: all, found, heard, wrong }: Tally): string {
  return [
    name.padEnd(41),
    String(all).padStart(7),
    String(found).padStart(6),
    String(heard).padStart(10),
    String(wrong.length).padStart(6),
  ].join(' ')
}

function describeCut({ from, to, why, isHeard }: Cut): string {
  const by = isHeard ? 'by its sound' : 'as it is written'
  return `${why} ${by}, ${from.toFixed(2)} to ${to.toFixed(2)} s`
}
