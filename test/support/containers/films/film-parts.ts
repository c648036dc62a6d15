import path from 'node:path'
import { divideFilm, renderInParts } from '../../../../containers/job/render/render-in-parts.ts'
import type { JobContext } from '../../../../containers/job/job-context.ts'
import type { Planned } from '../../../../containers/job/plan/plan-job.ts'
import type { PartCarrier } from '../../../../containers/parts/part-carrier.ts'
import type { RenderedVideo } from './render-video.ts'

/** Media workers that stand beside this one, as many as are said. */
export function carriedBy(count: number, run: PartCarrier['run']): PartCarrier {
  return { idle: async () => ({ idle: count, beside: 0, hears: false }), run }
}

/** So slow that every film is worth dividing. */
export const slowPaces = Object.fromEntries(
  ['mp4', 'mov', 'webm', 'avi'].map((format) => [`encoding ${format}`, { ms: 10_000, spread: 0 }]),
)

type Film = Pick<RenderedVideo, 'plan' | 'tools' | 'clips'>

/** A job whose film was measured and planned, with what the parts of it need. */
export function plannedFilm(
  { plan, tools, clips }: Film,
  carrier: PartCarrier,
  options: { split?: boolean } = {},
): Planned {
  const context = {
    // So slow that every film is worth it.
    job: {
      options: { split: true, compressionQuality: 80, ...options },
      paces: slowPaces,
    },
    settings: {
      FFMPEG_THREADS: 2,
      MAX_PIXELS: 40_000_000,
      MAX_OUTPUT_BYTES: 1e9,
      MIN_FREE_BYTES: 0,
    },
    log: () => undefined,
    trace: { plan: () => undefined },
    reporter: { progress: () => undefined },
    signal: tools.signal,
    ...{ carrier, tools },
  }
  return { context: context as unknown as JobContext, clips, plan } as Planned
}

/** Renders a film in parts: its file, or why that cannot be done or failed. */
export async function renderFilmInParts(
  film: Film,
  carrier: PartCarrier,
): Promise<{ file: string; parts: number } | { why: string }> {
  const planned = plannedFilm(film, carrier)
  const choice = await divideFilm(planned, film.plan)
  if (!choice) return { why: 'nothing is encoded' }
  if ('whole' in choice) return { why: choice.whole }
  const { division } = choice
  const onWritten = (): number => 0
  const made = await renderInParts(planned.context, film.plan, division, { onWritten, stem: 'out' })
  if ('why' in made) return made
  const parts = division.parts.spans.length
  return { file: path.join(film.tools.folder, made.result.name), parts }
}
