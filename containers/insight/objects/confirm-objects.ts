import { sharedArea, type SeenObject } from './find-boxes.ts'
import type { Label } from './labels.ts'

export type ConfirmedObject = {
  readonly label: Label
  /** The most that were seen at once. */
  readonly count: number
  /** In how many of the pictures. */
  readonly frames: number
  readonly score: number
}

/** What it takes to believe in an object: so much in the mean of its best pictures, or more on a single one. */
type Demand = { readonly several: number; readonly single: number }

/** The model mistakes discs, boxes and stripes of all kinds for things, one animal for another, and people seldom. */
const demands = {
  person: { several: 0.4, single: 0.55 },
  animal: { several: 0.45, single: 0.55 },
  vehicle: { several: 0.45, single: 0.6 },
  furniture: { several: 0.45, single: 0.6 },
  thing: { several: 0.55, single: 0.7 },
} as const satisfies Record<string, Demand>

export const animals: ReadonlySet<Label> = new Set<Label>([
  ...(['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra'] as const),
  'giraffe',
])

export const vehicles: ReadonlySet<Label> = new Set<Label>([
  ...(['bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'] as const),
])

const furniture: ReadonlySet<Label> = new Set<Label>([
  ...(['chair', 'couch', 'bed', 'dining table', 'toilet', 'tv', 'laptop', 'keyboard'] as const),
  ...(['microwave', 'oven', 'sink', 'refrigerator', 'potted plant', 'bench'] as const),
])

/** Of what is seen on each of several pictures, what can be relied on. */
export function confirmObjects(frames: readonly (readonly SeenObject[])[]): ConfirmedObject[] {
  const seen = new Map<Label, { scores: number[]; counts: number[] }>()
  for (const objects of frames) {
    const believable = onePerPlace(objects)
    for (const label of new Set(believable.map((each) => each.label))) {
      const alike = believable.filter((each) => each.label === label)
      const score = Math.max(...alike.map((each) => each.score))
      const known = seen.get(label) ?? { scores: [], counts: [] }
      known.scores.push(score)
      known.counts.push(alike.filter((each) => each.score >= demandOf(label).several).length)
      seen.set(label, known)
    }
  }
  return [...seen]
    .filter(([label, { scores }]) => isBelieved(scores, frames.length, demandOf(label)))
    .map(([label, { scores, counts }]) => ({
      label,
      count: Math.max(1, ...counts),
      frames: scores.filter((score) => score >= demandOf(label).several).length,
      score: Math.max(...scores),
    }))
    .sort((a, b) => b.frames * b.score - a.frames * a.score)
}

function demandOf(label: Label): Demand {
  if (label === 'person') return demands.person
  if (animals.has(label)) return demands.animal
  if (vehicles.has(label)) return demands.vehicle
  return furniture.has(label) ? demands.furniture : demands.thing
}

/** From here on a third picture is asked for: two that follow each other may share a mistake. */
const manyFrames = 9

function isBelieved(scores: readonly number[], frameCount: number, demand: Demand): boolean {
  const wanted = frameCount < manyFrames ? 2 : 3
  const best = [...scores].sort((a, b) => b - a).slice(0, wanted)
  const mean = best.reduce((sum, score) => sum + score, 0) / wanted
  return (best[0] ?? 0) >= demand.single || mean >= demand.several
}

/** Two things cannot be in one place: what is less likely goes. */
const samePlace = 0.6

function onePerPlace(objects: readonly SeenObject[]): SeenObject[] {
  const kept: SeenObject[] = []
  for (const object of [...objects].sort((a, b) => b.score - a.score)) {
    if (
      !kept.some((other) => other.label !== object.label && sharedArea(other, object) > samePlace)
    )
      kept.push(object)
  }
  return kept
}
