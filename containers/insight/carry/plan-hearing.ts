import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import { keptSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { decidedOf, silencesOf, type CutTimeline } from '../../timeline/list-cuts.ts'
import { keptPieces } from '../../timeline/joints.ts'
import { joinedSeconds } from '../../timeline/timeline.ts'
import type { Cuts } from './carry-words.ts'
import { chooseHeard, type HeardSpan } from './choose-heard.ts'
import { KeptTime, type TimeSpan } from '../../../worker/contract/layout/kept-time.ts'

/** Decides which parts of the joined timeline are transcribed. */
export function planHearing({ timeline, removed }: CutTimeline, isSentAway: boolean): HeardSpan[] {
  const inSeconds = secondsAt(timeline.frameRate)
  return chooseHeard(joinedSeconds(timeline), {
    asked: removed.asked.map(inSeconds),
    silent: silencesOf(removed).map(inSeconds),
    isSentAway,
  })
}

/** The parts of the joined timeline that the cuts leave, for the words that were heard on it. */
export function cutsOf(cut: CutTimeline): Cuts {
  const { removed } = cut
  const { frameRate, totalFrames } = cut.timeline
  const fps = fpsOf(frameRate)
  const inSeconds = secondsAt(frameRate)
  const left = (cuts: readonly FrameSpan[]): KeptTime =>
    new KeptTime(keptSpans(cuts, totalFrames).map(inSeconds))
  return {
    all: new KeptTime(
      keptPieces(cut).map((piece) => ({ ...inSeconds(piece), overlap: piece.overlap / fps })),
    ),
    asked: left(decidedOf(removed)),
    worded: left(decidedOf({ ...removed, fillers: [] })),
    voiced: left(silencesOf(removed)),
  }
}

function secondsAt(frameRate: FrameRate): (span: FrameSpan) => TimeSpan {
  const fps = fpsOf(frameRate)
  return ({ from, to }) => ({ from: from / fps, to: to / fps })
}
