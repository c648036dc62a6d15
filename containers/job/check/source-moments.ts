import { fpsOf } from '../../timeline/frame-rate.ts'
import { keptPieces } from '../../timeline/joints.ts'
import { clipSpans, keptTime } from '../../timeline/timeline.ts'
import type { Stretch } from './look-at-film.ts'
import type { Looked } from './check-tables.ts'

/** The same stretch in one of the sources. */
type SourceStretch = Stretch & { readonly clip: number }

type Precision = 'to the picture' | 'about'

/** Pictures next to a cut or a joint cannot be assigned to either side with certainty. */
const edgePictures = 2

/** Whether a program finds a moment exactly: only in files with a time for each picture, one at every step. */
function isExact({ facts: { format, video } }: Looked['planned']['clips'][number]): boolean {
  const isWhole = video.scan.kind === 'progressive' && video.ownTurn === undefined
  return format !== 'avi' && isWhole && video.hasConstantRate && video.lateSeconds === 0
}

/**
 * Finds the part of a stretch of the film that is shown of one source without a break, and where that source has it. Undefined if
 * no such part is long enough.
 */
export function sourceStretch(
  { planned, film }: Looked,
  stretch: Stretch,
  leastSeconds: number,
  precision: Precision = 'to the picture',
): { readonly film: Stretch; readonly source: SourceStretch } | undefined {
  const { timeline } = planned
  const fps = fpsOf(timeline.frameRate)
  const { speed = 1 } = timeline
  const begun = film.plan.excerpt?.start ?? 0
  const inKept = (seconds: number): number => keptTime(seconds + begun, timeline) * fps
  const [from, to] = [inKept(stretch.from), inKept(stretch.to)]
  const shown = piecesOf(planned)
    .map(({ at, from: first, to: end }) => {
      const low = Math.max(from, at + edgePictures)
      const high = Math.min(to, at + end - first - edgePictures)
      return { low, high, moved: first - at }
    })
    .sort((a, b) => b.high - b.low - (a.high - a.low))[0]
  if (!shown || shown.high - shown.low < leastSeconds * speed * fps) return undefined
  const place = shown.low + shown.moved
  const ofClips = clipSpans(timeline)
  const clip = Math.max(
    0,
    ofClips.findLastIndex(({ from: begin }) => begin <= place),
  )
  const source = planned.clips[clip]
  if (!source || (precision !== 'about' && !isExact(source))) return undefined
  const inFilm = (frame: number): number => frame / fps / speed - begun
  const begins = ofClips[clip]?.from ?? 0
  const inClip = (frame: number): number => (frame + shown.moved - begins) / fps
  // Before its first picture a source has nothing to read, whatever the film shows until then.
  if (inClip(shown.low) < source.facts.video.beginSeconds) return undefined
  return {
    film: { from: inFilm(shown.low), to: inFilm(shown.high) },
    source: { clip, from: inClip(shown.low), to: inClip(shown.high) },
  }
}

/** For how long a picture of the film is assumed to stay as it is. */
export const shownSeconds = 0.4

/** The same for what the film shows at a moment. */
export function sourceAt(looked: Looked, at: number, precision?: Precision) {
  return sourceStretch(looked, { from: at, to: at + shownSeconds }, shownSeconds / 4, precision)
}

/** When the film goes on with another part of its sources. */
export function cutsIn({ planned, film }: Looked): number[] {
  const { frameRate, speed = 1 } = planned.timeline
  const begun = film.plan.excerpt?.start ?? 0
  const begins = piecesOf(planned).map(({ at }) => at / fpsOf(frameRate) / speed - begun)
  return begins.filter((at) => at > 0 && at < film.plan.durationSeconds)
}

/** The kept parts, each within one clip and without the pictures of a transition, and where the film shows them. */
function piecesOf({ timeline, removed, joints }: Looked['planned']) {
  const ends = clipSpans(timeline).map(({ to }) => to)
  let next = 0
  const kept = keptPieces({ timeline, removed, joints })
  return kept.flatMap(({ from, to, overlap }, i) => {
    const at = next - overlap
    next = at + to - from
    const alone = { from: from + overlap, to: to - (kept[i + 1]?.overlap ?? 0) }
    const inner = ends.filter((end) => alone.from < end && end < alone.to)
    const bounds = [alone.from, ...inner, alone.to]
    return bounds.slice(1).map((end, k) => {
      const first = bounds[k] ?? alone.from
      return { at: at + first - from, from: first, to: end }
    })
  })
}
