import { hash } from 'node:crypto'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import { mostWindowText } from '../../../worker/contract/job/part-job.ts'
import { compileArgs } from '../../graph/compile-args.ts'
import type { HeardSpan } from '../../insight/carry/choose-heard.ts'
import { planHearing } from '../../insight/carry/plan-hearing.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import { joinedSound } from '../../sound/sound-graph.ts'
import { asSpeech } from '../../sound/speech-sound.ts'
import { soundOf } from '../../sound/standard-sound.ts'
import { keptSpeech } from '../../speech/kept-speech.ts'
import type { HearingHelp } from '../../speech/speech-provider.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { JobContext } from '../job-context.ts'

/** `names`: what the recogniser leans to. `speakers`: present if it is to be told who speaks. */
type NamedSources = SpokenSources & {
  readonly names: readonly string[]
  readonly speakers: HearingHelp['speakers']
}

type Hearing = Pick<JobContext, 'remembered' | 'providers' | 'reporter' | 'log'>

/**
 * Hears what is said on the raw timeline, unless an earlier job of the account has heard it. One that has cut nothing has heard
 * all of it, so that its words serve whatever is cut now: the cuts take their words with them later.
 */
export async function hearOnce(
  { remembered, providers, reporter, log }: Hearing,
  sources: NamedSources,
  hear: () => Promise<Speech>,
): Promise<Speech> {
  if (!remembered || sources.clips.every((clip) => soundOf(clip) === undefined)) return hear()
  const { words, hashes } = remembered
  const { own, whole } = wordNames({ providers }, sources, hashes)
  const names = [...new Set([own, whole])]
  const found = await words.find(names)
  for (const text of names.flatMap((one) => found.get(one) ?? [])) {
    const speech = keptSpeech.safeParse(jsonOf(text)).data
    if (speech) {
      log('info', 'An earlier job has heard these words')
      // It neither takes the time of hearing, nor does its own time tell how fast this machine hears.
      reporter.expect({ transcribing: undefined, hearing: undefined })
      return speech
    }
    log('info', 'Words of an earlier job could not be read, so they are heard again')
  }
  const speech = await hear()
  const text = JSON.stringify(speech)
  // Who speaks is asked again if it could not be told.
  const isUntold = sources.speakers && speech.segments.some(({ speaker }) => speaker === undefined)
  if (text.length <= mostWindowText && !isUntold) await words.keep(own, text)
  return speech
}

/** The names of what is heard for this edit, and of all that is said. */
export function wordNames(
  { providers }: Pick<JobContext, 'providers'>,
  sources: NamedSources,
  hashes: readonly string[],
): { readonly own: string; readonly whole: string } {
  const { frameRate, totalFrames } = sources.timeline
  const nameOf = nameSound(sources, hashes)
  return {
    own: nameOf(planHearing(sources, providers.speech.name !== 'local')),
    whole: nameOf([{ from: 0, to: totalFrames / fpsOf(frameRate), at: 0 }]),
  }
}

/**
 * Names parts of the sound of a timeline by the bytes of its sources, by the whole graph that makes the sound of them, by the
 * names to know, and by the number of speakers. Which model hears it, with which settings, belongs to the engine, and the service
 * tells those apart.
 */
function nameSound(
  { clips, timeline, names, speakers }: NamedSources,
  hashes: readonly string[],
): (heard: readonly HeardSpan[]) => string {
  // Who has which name changes nothing that is heard.
  const who = speakers && { count: speakers.count }
  const tracks = [{ stream: asSpeech(joinedSound(clips, timeline)), coding: [] }]
  // The threads change nothing that is heard.
  const made = compileArgs({ tracks, muxing: [], path: '', threads: 1, maxPixels: 1 })
  return (heard) => hash('sha256', JSON.stringify({ hashes, made, heard, names, who }))
}
