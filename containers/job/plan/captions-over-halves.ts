import type { TimeSpan } from '../../../worker/contract/layout/kept-time.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { scenesShown } from '../../render/frame/followed-shape.ts'
import type { CaptionLook, SetCaption } from '../../text/caption-track.ts'
import { finishedTime } from '../../timeline/timeline.ts'
import type { Cut } from '../cut/cut-footage.ts'

type Followed = Pick<Cut, 'clips' | 'timeline' | 'removed' | 'joints'> & {
  readonly context: { readonly job: { readonly options: Cut['context']['job']['options'] } }
}

/** When the finished video shows two people one above the other. */
export function halvesIn(cut: Followed): TimeSpan[] {
  const { all } = cutsOf(cut)
  const inFinished = (seconds: number): number => finishedTime(all.placeOf(seconds), cut.timeline)
  return cut.clips.flatMap(({ seen }) => {
    if (!seen) return []
    return scenesShown(seen, cut.context.job.options)
      .filter(({ mode }) => mode === 'halves')
      .map(({ startSeconds, endSeconds }) => ({
        from: inFinished(seen.beginSeconds + startSeconds),
        to: inFinished(seen.beginSeconds + endSeconds),
      }))
      .filter(({ from, to }) => to > from)
  })
}

type Stage = Pick<CaptionLook, 'fontSize' | 'lineHeight'> & { readonly frameHeight: number }

/**
 * Captions at the bottom would cover the mouth of who is shown in the lower half, so they end where the halves meet: in front of
 * one person's chest, and above the other one's hair. A caption that is shown over a cut goes by the longer part of its time.
 */
export function betweenHalves(
  captions: readonly SetCaption[],
  halves: readonly TimeSpan[],
  { fontSize, lineHeight, frameHeight }: Stage,
): readonly SetCaption[] {
  if (halves.length === 0) return captions
  return captions.map((caption) => {
    const { startTime, endTime, lines } = caption
    const within = halves.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, endTime) - Math.max(from, startTime)),
      0,
    )
    if (within <= (endTime - startTime) / 2) return caption
    return { ...caption, top: frameHeight / 2 - lines.length * lineHeight * fontSize }
  })
}
