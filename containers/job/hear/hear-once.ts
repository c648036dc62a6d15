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
import { joinedSeconds } from '../../timeline/timeline.ts'
import type { Speech } from '../../timeline/speech.ts'
import type { JobContext } from '../job-context.ts'

/** `names`: the names that the recogniser prefers. `speakers`: present if it should tell who speaks. */
type NamedSources = SpokenSources & {
  readonly names: readonly string[]
  readonly speakers: HearingHelp['speakers']
}

type OnceHearing = Pick<JobContext, 'remembered' | 'providers' | 'reporter' | 'log'>

/**
 * Transcribes the raw timeline, unless an earlier job of the account has done so. A job that cut nothing has transcribed all of
 * it, so its words serve whatever is cut now: the cuts remove their words later.
 */
export async function hearOnce(
  { remembered, providers, reporter, log }: OnceHearing,
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
      // Kept words do not take the time of transcribing, nor does their time tell how fast this machine transcribes.
      reporter.expect({ transcribing: undefined, hearing: undefined })
      return speech
    }
    log('info', 'Words of an earlier job could not be read, so they are heard again')
  }
  const speech = await hear()
  const text = JSON.stringify(speech)
  // If the speakers could not be told, another try is made.
  const isUntold = sources.speakers && speech.segments.some(({ speaker }) => speaker === undefined)
  if (text.length <= mostWindowText && !isUntold) await words.keep(own, text)
  return speech
}

/** The names for the words of this edit, and for those of the uncut timeline. */
export function wordNames(
  { providers }: Pick<JobContext, 'providers'>,
  sources: NamedSources,
  hashes: readonly string[],
): { readonly own: string; readonly whole: string } {
  const nameOf = nameSound(sources, hashes)
  return {
    own: nameOf(planHearing(sources, providers.speech.name !== 'local')),
    whole: nameOf([{ from: 0, to: joinedSeconds(sources.timeline), at: 0 }]),
  }
}

/**
 * Names parts of a timeline's sound by the bytes of its sources, by the whole graph that makes the sound, by the names to know,
 * and by the number of speakers. The model and its settings belong to the engine, by which the service keeps words apart.
 */
function nameSound(
  { clips, timeline, names, speakers }: NamedSources,
  hashes: readonly string[],
): (heard: readonly HeardSpan[]) => string {
  // Which speaker has which name does not change the transcript.
  const who = speakers && { count: speakers.count }
  const tracks = [{ stream: asSpeech(joinedSound(clips, timeline)), coding: [] }]
  // The number of threads does not change the sound.
  const made = compileArgs({ tracks, muxing: [], path: '', threads: 1, maxPixels: 1 })
  return (heard) => hash('sha256', JSON.stringify({ hashes, made, heard, names, who }))
}
