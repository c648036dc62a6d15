import { JobError } from '../../errors/job-error.ts'
import { atMicroseconds, countedFrom, trimmed } from '../../graph/cut-in-time.ts'
import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import { keptSpans, mergeSpans } from '../../timeline/frame-spans.ts'
import { keptPieces } from '../../timeline/joints.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import { keptTime } from '../../timeline/timeline.ts'
import { steadied } from '../elements/without-gaps.ts'
import { renderStep, type Excerpt, type RenderOptions, type RenderState } from '../render-state.ts'

type ExcerptOptions = Pick<RenderOptions, 'startTime' | 'duration'>
type Extent = Pick<Excerpt, 'start' | 'end'>

/**
 * Leaves only a part of the finished film, after everything else: elements and sounds are where they are in the whole. The
 * pictures get a steady rate, so that the part begins with a picture, and its sound with it.
 */
export const takeExcerpt = renderStep({
  name: 'take-excerpt',
  reads: ['startTime', 'duration'],
  apply(state, asked) {
    if (!isExcerpt(asked)) return withoutBefore(state)
    const base = steadied(state)
    const { frameRate, durationSeconds, readPart, clips } = base
    const { span, warnings } = excerptOf(asked, durationSeconds, frameRate)
    const { video, timing } = picturesOf(base.video, span, { readPart, durationSeconds, frameRate })
    const hasOwnSound = state.audio !== undefined && state.audio === clips[0]?.audio
    return {
      ...base,
      video,
      audio: state.audio && soundBetween(state.audio, span),
      durationSeconds: span.end - span.start,
      excerpt: { ...span, timing, hasOwnSound },
      warnings: [...state.warnings, ...warnings],
    }
  },
})

/** A film whose beginning is cut out need not be decoded from there, if its files can be read from another place. */
function withoutBefore(state: RenderState): RenderState {
  const { readPart, video, durationSeconds, cut, row } = state
  const isCopied = (cut ?? row) !== undefined
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
  const part = isCopied ? undefined : readPart?.(video, all, 0)
  if (!part) return state
  const excerpt = { start: 0, end: durationSeconds, timing: part.timing, hasOwnSound: false }
  return { ...state, video: part.video, excerpt }
}

export function isExcerpt({ startTime, duration }: ExcerptOptions): boolean {
  return startTime !== undefined || duration !== undefined
}

/** The requested part, in whole pictures: it begins with the one that is shown at its first moment. */
export function excerptOf(
  { startTime = 0, duration }: ExcerptOptions,
  filmSeconds: number,
  frameRate: FrameRate,
): { readonly span: Extent; readonly warnings: readonly string[] } {
  refuseBehindEnd('startTime', startTime, filmSeconds)
  const fps = fpsOf(frameRate)
  const total = Math.max(1, Math.round(filmSeconds * fps))
  const first = placeAt(startTime, fps, total)
  const wanted = duration === undefined ? total : Math.max(1, Math.round(duration * fps))
  const end = Math.min(total, first + wanted)
  const isShort = duration !== undefined && first + wanted > total + 1
  const length = Number(((end - first) / fps).toFixed(3))
  const warning = `duration: the finished video ends at ${Number(filmSeconds.toFixed(3))} s, so this result lasts ${length} s.`
  return { span: { start: first / fps, end: end / fps }, warnings: isShort ? [warning] : [] }
}

/** The index of the picture shown at a moment. A computed time may be off by less than a millionth of a picture. */
export function placeAt(seconds: number, fps: number, total: number): number {
  return Math.max(0, Math.min(total - 1, Math.floor(seconds * fps + 1e-6)))
}

export function refuseBehindEnd(field: string, seconds: number, filmSeconds: number): void {
  if (seconds < filmSeconds) return
  const end = Number(filmSeconds.toFixed(3))
  throw new JobError(
    'nothing_left',
    `${field}: the finished video ends at ${end} s, before this moment.`,
  )
}

type Whole = Pick<RenderState, 'readPart' | 'durationSeconds' | 'frameRate'>

/** Reads the files from the key picture before the excerpt on, if that can be done exactly. */
function picturesOf(film: Stream<'video'>, { start, end }: Extent, { readPart, ...of }: Whole) {
  const early = 0.25 / fpsOf(of.frameRate)
  const from = start <= 0 ? Number.NEGATIVE_INFINITY : start - early
  const to = end >= of.durationSeconds - early ? Number.POSITIVE_INFINITY : end - early
  const part = readPart?.(film, { from, to }, start)
  if (part) return part
  const cut = trimmed(film, { from, to })
  return { video: pipe(cut, 'setpts', countedFrom(start)), timing: undefined }
}

/** The samples of the same time; as in the film, the first may come late. */
export function soundBetween(sound: Stream<'audio'>, { start, end }: Extent): Stream<'audio'> {
  return pipeAll(sound, [
    ['atrim', { start: atMicroseconds(start), end: atMicroseconds(end) }],
    ['asetpts', countedFrom(start)],
  ])
}

/** The film as if everything around the excerpt were cut out. */
export function onlyExcerpt<Whole extends CutTimeline>(film: Whole, { start, end }: Extent): Whole {
  const { totalFrames, frameRate } = film.timeline
  const fps = fpsOf(frameRate)
  const [from, to] = [keptTime(start, film.timeline), keptTime(end, film.timeline)]
  const [first, behind] = [Math.floor(from * fps), Math.ceil(to * fps)]
  let place = 0
  const left = keptPieces(film).flatMap((piece) => {
    const earlier = piece.from - (place - piece.overlap)
    place += piece.to - piece.from - piece.overlap
    const shown = {
      from: Math.max(piece.from, first + earlier),
      to: Math.min(piece.to, behind + earlier),
    }
    return shown.from < shown.to ? [shown] : []
  })
  const all = mergeSpans(keptSpans(mergeSpans(left, totalFrames), totalFrames), totalFrames)
  return { ...film, removed: { ...film.removed, all }, joints: [] }
}
