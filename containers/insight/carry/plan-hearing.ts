import { fpsOf } from '../../timeline/frame-rate.ts'
import { keptSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { nothingRemoved, silencesOf } from '../../timeline/list-cuts.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import type { SpokenSources } from '../record-speech-sound.ts'
import type { Cuts } from './carry-words.ts'
import { chooseHeard, type HeardSpan } from './choose-heard.ts'
import { KeptTime, type TimeSpan } from './kept-time.ts'

export type Hearing = {
  /** The parts of the raw timeline that are transcribed. */
  readonly heard: readonly HeardSpan[]
  readonly cuts: Cuts
}

/** Decides which parts of the joined timeline are transcribed, and where their words end up. */
export function planHearing({ clips, sound }: SpokenSources, isSentAway: boolean): Hearing {
  const { frameRate, totalFrames } = timelineOf(clips)
  const removed = sound?.removed ?? nothingRemoved
  const fps = fpsOf(frameRate)
  const inSeconds = ({ from, to }: FrameSpan): TimeSpan => ({ from: from / fps, to: to / fps })
  const left = (cuts: readonly FrameSpan[]): KeptTime =>
    new KeptTime(keptSpans(cuts, totalFrames).map(inSeconds))
  const silent = silencesOf(removed)
  const asked = removed.asked.map(inSeconds)
  return {
    heard: chooseHeard(totalFrames / fps, { asked, silent: silent.map(inSeconds), isSentAway }),
    cuts: {
      all: left(removed.all),
      asked: left(removed.asked),
      voiced: left(silent),
    },
  }
}
