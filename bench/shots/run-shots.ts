import { bytesOfCells, findCuts } from '../../containers/insight/follow/find-cuts.ts'
import { ffmpegBytes } from '../../test/support/containers/run-tool.ts'
import { benchmark } from '../benchmark.ts'
import { drawnFilms, type DrawnFilm } from './films.ts'

/** A boundary counts as found this near to the cut or the transition. */
const nearSeconds = 0.17
/** The least F1 of each kind whose boundaries are not all found. */
const least: Readonly<Record<string, number>> = { dissolves: 0.66, 'cuts while shaking': 0.9 }

/** How many boundaries were found, missed, and found where there is none. */
type Score = { readonly found: number; readonly missed: number; readonly wrong: number }

export const shots = benchmark({
  summary: 'where shots begin in films of every kind',
  takes: '30 seconds',
  about: `Draws films of cuts, fades, dissolves, flashes, lightning, textures that scroll, pictures that are held, pans and a
shaking camera, at several rates, and judges what resizeMode "follow" takes for shots: F1 of each kind.`,
  async measure(_asked, { judge }) {
    const kinds = new Map<string, Score[]>()
    for (const film of drawnFilms) {
      kinds.set(film.kind, [...(kinds.get(film.kind) ?? []), await scoreOf(film)])
    }
    for (const [kind, scores] of kinds) {
      const [f1, limit] = [f1Of(scores), least[kind] ?? 1]
      judge(`${kind.padEnd(20)} ${f1.toFixed(3)}`, limit.toFixed(2), f1 >= limit)
    }
  },
})

async function scoreOf({ graph, fps, boundaries, lasting }: DrawnFilm): Promise<Score> {
  const cells = 'scale=32:18:flags=area,format=yuv420p'
  const raw = ['-f', 'rawvideo', '-']
  const bytes = await ffmpegBytes(['-filter_complex', `${graph},${cells}`, ...raw])
  if (bytes.length === 0 || bytes.length % bytesOfCells !== 0)
    throw new Error(`Not drawn: ${graph}`)
  const left = findCuts({ bytes, fps }).map((picture) => picture / fps)
  let found = 0
  for (const boundary of boundaries) {
    const at = left.findIndex((cut) => Math.abs(cut - boundary) <= nearSeconds + lasting / 2)
    if (at < 0) continue
    left.splice(at, 1)
    found++
  }
  return { found, missed: boundaries.length - found, wrong: left.length }
}

/** 1 if every boundary was found and nothing else. */
function f1Of(scores: readonly Score[]): number {
  const sum = (of: keyof Score) => scores.reduce((all, score) => all + score[of], 0)
  const [found, off] = [sum('found'), sum('missed') + sum('wrong')]
  return found + off === 0 ? 1 : (2 * found) / (2 * found + off)
}
