import { elementSpan, type OutputSpan } from '../../render/elements/element-timing.ts'
import { filmSeconds } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'

/** A place of a film that is encoded to see how large the whole becomes. */
export type SamplePlace = {
  readonly startTime: number
  readonly duration: number
  /** The share of the film for which it stands. */
  readonly share: number
}

/** More stretches are not told apart, or samples would take longer than a plan may. */
export const mostStretches = 6
/** A shorter stretch says little about the size. */
const leastSeconds = 0.3

const leastFps = 10

/**
 * How many times as long a sample lasts if the film has few pictures a second: it must show more than a key picture, which takes
 * other bytes than those after it.
 */
export function slowness(fps: number): number {
  return Math.max(1, leastFps / fps)
}

/** The stretches of a film with different content: its clips, with or without each element over them. */
export function unlikeStretches(cut: Cut): OutputSpan[] {
  const { context, clips, elementMedia } = cut
  const durationSeconds = filmSeconds(cut)
  const film = { ...cut, durationSeconds }
  const ofClips =
    clips.length > 1
      ? clips.map((_, i) => elementSpan({ timing: undefined, clip: i + 1 }, film))
      : []
  const ofElements = (context.job.options.elements ?? []).map((element, i) => {
    const span = element.type === 'audio' ? undefined : elementSpan(element, film)
    const own = lengthOf(elementMedia[i])
    const isOnce = own !== undefined && !('loop' in element && element.loop === true)
    return span && isOnce ? { ...span, end: Math.min(span.end, span.start + own) } : span
  })
  const edges = [...ofClips, ...ofElements].flatMap((span) => (span ? [span.start, span.end] : []))
  return between([...new Set([...edges, durationSeconds])].sort((a, b) => a - b))
}

function lengthOf(media: Cut['elementMedia'][number]): number | undefined {
  return media?.facts.kind === 'movie' ? media.facts.media.durationSeconds : undefined
}

/** Stretches between 0 and each of these times, without those too short to be sampled. */
function between(edges: readonly number[]): OutputSpan[] {
  const stretches: OutputSpan[] = []
  let start = 0
  for (const end of edges) {
    if (end - start < leastSeconds) continue
    stretches.push({ start, end })
    start = end
  }
  const last = stretches.pop()
  return [...stretches, { start: last?.start ?? 0, end: edges.at(-1) ?? 0 }]
}

/** The middles of all stretches; the longest ones are sampled in several places. */
export function samplePlaces(
  stretches: readonly OutputSpan[],
  { places, seconds }: { readonly places: number; readonly seconds: number },
): SamplePlace[] {
  const whole = stretches.at(-1)?.end ?? 0
  const few = mergeShortest(stretches, Math.min(mostStretches, Math.max(1, places)))
  const counts = few.map(() => 1)
  for (let count = counts.length; count < places; count++) {
    const lengths = few.map(({ start, end }, i) => (end - start) / (counts[i] ?? 1))
    const longest = lengths.indexOf(Math.max(...lengths))
    counts[longest] = (counts[longest] ?? 1) + 1
  }
  return few.flatMap(({ start, end }, i) => {
    const count = counts[i] ?? 1
    const length = (end - start) / count
    const duration = Math.min(seconds, length)
    return Array.from({ length: count }, (_, k) => ({
      startTime: Math.max(0, start + (k + 0.5) * length - duration / 2),
      duration,
      share: length / Math.max(whole, 0.04),
    }))
  })
}

function mergeShortest(stretches: readonly OutputSpan[], most: number): OutputSpan[] {
  const left = [...stretches]
  while (left.length > most) {
    const lengths = left.map(({ start, end }) => end - start)
    const shortest = lengths.indexOf(Math.min(...lengths))
    const before = Math.max(0, shortest - 1)
    const [one, next] = left.slice(before, before + 2)
    if (!one || !next) break
    left.splice(before, 2, { start: one.start, end: next.end })
  }
  return left
}
