import { sharedArea, type SeenObject } from './find-boxes.ts'
import type { Label } from './labels.ts'
import { meanOf } from '../../numbers/mean.ts'

/** `animal` stands for an animal whose kind the model does not know or cannot tell. */
export type ConfirmedLabel = Label | 'animal'

export type ConfirmedObject = {
  readonly label: ConfirmedLabel
  /** The largest number seen in one picture. */
  readonly count: number
  /** The number of pictures that show it. */
  readonly frames: number
  readonly score: number
}

/**
 * The scores that confirm an object: the mean of its best pictures, a higher one on a single picture, or a lower one on
 * many successive pictures.
 */
type Demand = { readonly several: number; readonly single: number; readonly lasting?: number }

/**
 * The model often mistakes discs and boxes for things and stripes for trains, but is seldom wrong about people and vehicles. It
 * calls an animal that it does not know a bear, a sheep or a cow; yet what it takes for an animal with hair and legs nearly
 * always is some animal.
 */
const demands = {
  person: { several: 0.4, single: 0.48, lasting: 0.34 },
  animal: { several: 0.45, single: 0.48, lasting: 0.4 },
  'likeliest animal': { several: 0.65, single: 0.72 },
  'some animal': { several: 0.38, single: 0.45 },
  vehicle: { several: 0.45, single: 0.5, lasting: 0.38 },
  train: { several: 0.55, single: 0.62 },
  furniture: { several: 0.45, single: 0.6 },
  thing: { several: 0.55, single: 0.7 },
} as const satisfies Record<string, Demand>

export const animals: ReadonlySet<ConfirmedLabel> = new Set<ConfirmedLabel>([
  ...(['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra'] as const),
  ...(['giraffe', 'animal'] as const),
])

const likeliestAnimals: ReadonlySet<Label> = new Set<Label>(['bear', 'sheep', 'cow'])

export const vehicles: ReadonlySet<ConfirmedLabel> = new Set<ConfirmedLabel>([
  ...(['bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'] as const),
])

const furniture: ReadonlySet<Label> = new Set<Label>([
  ...(['chair', 'couch', 'bed', 'dining table', 'toilet', 'tv', 'laptop', 'keyboard'] as const),
  ...(['microwave', 'oven', 'sink', 'refrigerator', 'potted plant', 'bench'] as const),
])

/** Returns the objects that can be relied on, out of those seen on each of several pictures. */
export function confirmObjects(frames: readonly (readonly SeenObject[])[]): ConfirmedObject[] {
  const seen = new Map<Label, { scores: number[]; counts: number[] }>()
  const believables = frames.map(onePerPlace)
  for (const believable of believables) {
    for (const label of new Set(believable.map((each) => each.label))) {
      const alike = believable.filter((each) => each.label === label)
      const score = Math.max(...alike.map((each) => each.score))
      const known = seen.get(label) ?? { scores: [], counts: [] }
      known.scores.push(score)
      known.counts.push(alike.filter((each) => each.score >= demandOf(label).several).length)
      seen.set(label, known)
    }
  }
  const confirmed: ConfirmedObject[] = [...seen]
    .filter(
      ([label, { scores }]) =>
        isBelieved(scores, frames.length, demandOf(label)) || isLasting(believables, label),
    )
    .map(([label, { scores, counts }]) => ({
      label,
      count: Math.max(1, ...counts),
      frames: Math.max(1, scores.filter((score) => score >= demandOf(label).several).length),
      score: Math.max(...scores),
    }))
  const isNamed = confirmed.some(({ label }) => animals.has(label))
  return [...confirmed, ...(isNamed ? [] : someAnimal(believables))]
    .sort((a, b) => weightOf(b) - weightOf(a))
    .filter((object, i, all) => !isMistaken(object, all.slice(0, i), believables))
    .filter((object, i, all) => !isOtherFlyer(object, all.slice(0, i), believables))
}

const weightOf = ({ frames, score }: ConfirmedObject): number => frames * score

/** With this score an object is believed, whatever else is seen in its place. */
const plainScore = 0.6

/**
 * The model may take a dog in poor light for a horse: an object is doubted if another, likelier animal or vehicle is
 * seen in the same place before or after it.
 */
function isMistaken(
  { label, score }: ConfirmedObject,
  likelier: readonly ConfirmedObject[],
  frames: readonly (readonly SeenObject[])[],
): boolean {
  const kind = [animals, vehicles].find((each) => each.has(label))
  if (!kind || score >= plainScore) return false
  const placesOf = (wanted: ConfirmedLabel): SeenObject[] =>
    frames.flatMap((objects) =>
      objects.filter((each) => each.label === wanted && each.score >= demandOf(each.label).several),
    )
  return likelier.some(({ label: other }) => {
    if (!kind.has(other)) return false
    const taken = placesOf(other)
    return placesOf(label).every((place) => taken.some((box) => sharedArea(place, box) > samePlace))
  })
}

const flyers: ReadonlySet<ConfirmedLabel> = new Set<ConfirmedLabel>(['bird', 'airplane', 'kite'])

/** The model may call one flying thing now a bird and now an airplane: if the two are never seen at once, they count as one. */
function isOtherFlyer(
  { label, score }: ConfirmedObject,
  likelier: readonly ConfirmedObject[],
  frames: readonly (readonly SeenObject[])[],
): boolean {
  if (!flyers.has(label) || score >= plainScore) return false
  return likelier.some(({ label: other }) => {
    const both = [label, other]
    const areBoth = frames.some((objects) =>
      both.every((name) => objects.some((each) => each.label === name)),
    )
    return flyers.has(other) && !areBoth
  })
}

/** Birds do not count, because the model takes many flying things for birds. */
function someAnimal(frames: readonly (readonly SeenObject[])[]): ConfirmedObject[] {
  const demand = demands['some animal']
  const scores = frames.flatMap((objects) => {
    const alike = objects.filter(({ label }) => label !== 'bird' && animals.has(label))
    return alike.length > 0 ? [Math.max(...alike.map(({ score }) => score))] : []
  })
  if (!isBelieved(scores, frames.length, demand)) return []
  const shown = scores.filter((score) => score >= demand.several).length
  return [{ label: 'animal', count: 1, frames: shown, score: Math.max(...scores) }]
}

function demandOf(label: Label): Demand {
  if (label === 'person') return demands.person
  if (likeliestAnimals.has(label)) return demands['likeliest animal']
  if (animals.has(label)) return demands.animal
  if (label === 'train') return demands.train
  if (vehicles.has(label)) return demands.vehicle
  return furniture.has(label) ? demands.furniture : demands.thing
}

/** From this number of pictures on, three have to show an object: two successive ones may share a mistake. */
const manyFrames = 9

function isBelieved(scores: readonly number[], frameCount: number, demand: Demand): boolean {
  const wanted = frameCount < manyFrames ? 2 : 3
  const best = scores.toSorted((a, b) => b - a).slice(0, wanted)
  const mean = best.reduce((sum, score) => sum + score, 0) / wanted
  return (best[0] ?? 0) >= demand.single || mean >= demand.several
}

/** The detector seldom makes the same mistake in the same place on this many pictures. */
const lastingFrames = 4

function isLasting(frames: readonly (readonly SeenObject[])[], label: Label): boolean {
  const { lasting } = demandOf(label)
  return lasting !== undefined && lastingScore(frames, label, lastingFrames) >= lasting
}

/** Two things cannot be in one place: the less likely one is dropped. */
const samePlace = 0.6

function onePerPlace(objects: readonly SeenObject[]): SeenObject[] {
  const kept: SeenObject[] = []
  for (const object of objects.toSorted((a, b) => b.score - a.score)) {
    if (
      !kept.some((other) => other.label !== object.label && sharedArea(other, object) > samePlace)
    )
      kept.push(object)
  }
  return kept
}

/** Boxes of successive pictures that share this much show one thing that has moved a little. */
const sameThing = 0.25

/** The best mean score of one thing over this many pictures in a row that show it; 0 where no pictures do. */
function lastingScore(
  frames: readonly (readonly SeenObject[])[],
  label: Label,
  length: number,
): number {
  const alike = frames.map((objects) => objects.filter((each) => each.label === label))
  const means = alike.flatMap((objects, place) =>
    objects.map((object) => scoreAlong(followed(object, alike.slice(place + 1)), length)),
  )
  return Math.max(0, ...means)
}

/** Follows the thing from picture to picture until it is lost. */
function followed(
  first: SeenObject,
  later: readonly (readonly SeenObject[])[],
): readonly SeenObject[] {
  const path = [first]
  for (const objects of later) {
    const last = path.at(-1) ?? first
    const [next] = objects
      .filter((object) => sharedArea(last, object) > sameThing)
      .sort((a, b) => sharedArea(last, b) - sharedArea(last, a))
    if (!next) break
    path.push(next)
  }
  return path
}

function scoreAlong(path: readonly SeenObject[], length: number): number {
  return path.length < length ? 0 : meanOf(path.slice(0, length).map(({ score }) => score))
}
