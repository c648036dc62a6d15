import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { measurePacking } from '../../ffmpeg/measure-packing.ts'
import type { MadePart } from '../../parts/make/join-parts.ts'
import type { DividedFilm } from '../../parts/plan/plan-parts.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { JobContext } from '../job-context.ts'
import type { Written } from './run-plan.ts'
import { encodeAll, removeParts, secondsAt, type FilmDivision } from './render-in-parts.ts'

/** How much of a film is encoded to see how large it becomes, in how many places, and how long each of them is. */
const sampled = { share: 0.045, least: 6, most: 16, pictures: 30 } as const

/**
 * Encodes some pictures from all over a film that is divided. Parts that are under way show only their own beginnings, which
 * may be nothing like the rest.
 */
export async function sampleFilm(
  context: JobContext,
  plan: RenderPlan,
  { parts, lanes }: FilmDivision,
): Promise<Written> {
  const { tools } = context
  const spans = spansOfSamples(parts)
  const division = { lanes, parts: { ...parts, spans } }
  try {
    const made = await encodeAll(context, plan, division, () => undefined)
    const group = groupOf(parts)
    const bytes = await Promise.all(made.map(async (one) => bytesOf(context.tools, one, group)))
    return {
      pictureBytes: bytes.reduce((sum, one) => sum + one, 0),
      stretches: spans.map(({ from, to }) => ({
        from: secondsAt(parts.pictures, from),
        to: secondsAt(parts.pictures, to),
      })),
    }
  } finally {
    await removeParts(tools)
  }
}

/** Pictures from one key picture to the next. */
function groupOf({ coding }: DividedFilm): number {
  return Number(coding[coding.indexOf('-g') + 1])
}

function spansOfSamples({ pictures: { count } }: DividedFilm): FrameSpan[] {
  const wanted = Math.floor((count * sampled.share) / sampled.pictures)
  const number = Math.min(sampled.most, Math.max(sampled.least, wanted))
  const length = Math.min(sampled.pictures, Math.floor(count / number))
  return Array.from({ length: number }, (_, i) => {
    const from = Math.floor(((i + 0.5) * count) / number - length / 2)
    return { from, to: from + length }
  })
}

/** The bytes of its pictures, of which the film has fewer that are key pictures; without those that only warm up. */
async function bytesOf(
  tools: ToolContext,
  { file, spec }: MadePart,
  group: number,
): Promise<number> {
  const video = { index: 0 }
  const { shownAt, sizes, keys } = await measurePacking(tools, file, { format: 'mp4', video })
  const ordered = shownAt.slice().sort()
  const [from, to] = [ordered[spec.before] ?? 0, ordered[spec.before + spec.count] ?? Infinity]
  return sizes.reduce((sum, size, i) => {
    const at = shownAt[i] ?? 0
    if (at < from || at >= to) return sum
    const isKey = keys[i] === 1
    return sum + (isKey ? size * Math.min(1, spec.count / group) : size)
  }, 0)
}
