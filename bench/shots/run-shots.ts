import { benchmark, type Run } from '../benchmark.ts'
import { adaptiveCuts } from './adaptive-detector.ts'
import { madeFilms } from './films.ts'
import { f1Of, ownCuts, scoreOf, sumOf, type Score } from './score-cuts.ts'

type Scores = { readonly own: Score; readonly adaptive: Score }

export const shots = benchmark({
  summary: 'where shots begin, beside the adaptive detector of PySceneDetect',
  takes: '40 seconds',
  about: `Makes films of cuts, fades, dissolves, flashes, lightning, textures that scroll, pictures that are held, pans and a
shaking camera, at several rates, and compares what resizeMode "follow" takes for shots with what the published
AdaptiveDetector does: F1 of each kind, which must not be lower.`,
  measure,
})

async function measure(_asked: object, { judge }: Run): Promise<void> {
  const kinds = new Map<string, Scores[]>()
  for (const film of await madeFilms()) {
    const own = scoreOf(ownCuts(film), film)
    const adaptive = scoreOf(adaptiveCuts(film.pictures), film)
    kinds.set(film.kind, [...(kinds.get(film.kind) ?? []), { own, adaptive }])
  }
  const all = [...kinds.values()].flat()
  for (const [kind, scores] of [...kinds, ['all together', all] as const]) {
    const [own, adaptive] = (['own', 'adaptive'] as const).map((whose) =>
      f1Of(sumOf(scores.map((score) => score[whose]))),
    )
    const [mine = 0, theirs = 0] = [own, adaptive]
    judge(`${kind.padEnd(20)} ${mine.toFixed(3)}`, `${theirs.toFixed(3)}, adaptive`, mine >= theirs)
  }
}
