import path from 'node:path'
import { divideFilm, renderInParts } from '../../../../containers/job/render/render-in-parts.ts'
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

/** A planned film whose parts are worth it, with who renders them. */
export function plannedFilm(
  planned: Planned,
  carrier: PartCarrier,
  options: { split?: boolean } = {},
): Planned {
  const { context } = planned
  const { job } = context
  const divided = { ...job.options, split: true, compressionQuality: 80, ...options }
  return {
    ...planned,
    context: { ...context, carrier, job: { ...job, options: divided, paces: slowPaces } },
  }
}

/** Renders a film in parts: its file, or why that cannot be done or failed. */
export async function renderFilmInParts(
  film: RenderedVideo,
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
