import { still, type CameraMotion, type ShakeStep } from './fit-motion.ts'

/** The pictures to move, and how many of them are shown in a second. */
type Moved = { readonly width: number; readonly height: number; readonly fps: number }

export type Steadied = {
  /** How far each picture is moved, so that its content does not shake. */
  readonly corrections: readonly CameraMotion[]
  /** Which share of each side is still seen once all pictures are enlarged so that no border shows. */
  readonly seen: number
}

/** A stronger correction would cost too much of the picture. */
const leastSeen = 0.8
/** The path of the camera is smoothed over as many seconds as the corrections allow. */
const smoothedSeconds = [1.6, 0.8, 0.4, 0.2] as const
/** How slowly one smoothed path changes into another. */
const changingSeconds = 0.5

/** Finds the smooth path that the camera was meant to take, from the steps between pictures. */
export function steadyPath(steps: readonly ShakeStep[], moved: Moved): Steadied {
  const corrections = takesOf(steps).flatMap((take) => steadyTake(placesIn(take), moved))
  return { corrections, seen: corrections.reduce((n, one) => Math.min(n, seenOf(one, moved)), 1) }
}

/** Splits the steps into takes: the path of the camera in one has nothing to do with the one before. */
function takesOf(steps: readonly ShakeStep[]): ShakeStep[][] {
  const takes: ShakeStep[][] = []
  for (const step of steps) {
    const take = takes.at(-1)
    if (take && step !== 'another take') take.push(step)
    else takes.push([still])
  }
  return takes
}

/** Where each picture of a take lies, if the first lies at the origin. */
function placesIn(take: readonly ShakeStep[]): CameraMotion[] {
  let place = still
  return knownSteps(take).map((step) => (place = combined(place, step, 1)))
}

/** Fills unknown steps from those around them. If most are unknown, it is not the camera that moves. */
function knownSteps(take: readonly ShakeStep[]): CameraMotion[] {
  const before = lastKnown(take)
  const behind = lastKnown(take.toReversed()).reverse()
  const unknown = take.filter((step) => typeof step === 'string').length
  if (2 * unknown > take.length) return take.map(() => still)
  return take.map((_, i) => {
    const [one, other] = [before[i] ?? behind[i] ?? still, behind[i] ?? before[i] ?? still]
    return combined(combined(still, one, 0.5), other, 0.5)
  })
}

function lastKnown(steps: readonly ShakeStep[]): (CameraMotion | undefined)[] {
  let last: CameraMotion | undefined
  return steps.map((step) => (last = typeof step === 'string' ? last : step))
}

function combined(one: CameraMotion, other: CameraMotion, share: number): CameraMotion {
  return {
    x: one.x + share * other.x,
    y: one.y + share * other.y,
    turn: one.turn + share * other.turn,
  }
}

function steadyTake(path: readonly CameraMotion[], moved: Moved): CameraMotion[] {
  const tries = smoothedSeconds.map((seconds) => {
    const smooth = smoothed(path, seconds * moved.fps)
    return path.map((place, i) => combined(smooth[i] ?? place, place, -1))
  })
  const radius = Math.ceil(changingSeconds * moved.fps)
  const last = tries.length - 1
  const fitting = path.map((_, i) => {
    const found = tries.findIndex((one) => seenOf(one[i] ?? still, moved) >= leastSeen)
    return found < 0 ? last : found
  })
  const wanted = around(around(fitting, radius, Math.max), radius, (a, b) => a + b).map(
    (sum, i) => sum / (Math.min(i, radius) + 1 + Math.min(path.length - 1 - i, radius)),
  )
  return wanted.map((level, i) => {
    const lower = Math.min(last, Math.floor(level))
    const [from = still, to = from] = [tries[lower]?.[i], tries[lower + 1]?.[i]]
    return limited(combined(from, combined(to, from, -1), level - lower), moved)
  })
}

/** Combines each value with its neighbours up to this distance. */
function around(
  values: readonly number[],
  radius: number,
  together: (one: number, other: number) => number,
): number[] {
  return values.map((_, i) =>
    values.slice(Math.max(0, i - radius), i + radius + 1).reduce((a, b) => together(a, b)),
  )
}

/** How many deviations of the bell curve are used. */
const reach = 2.5

/**
 * Fits a line to the places around each picture, the nearest of them weighing most, so that a pan at a steady speed stays as it
 * is, even at its ends.
 */
function smoothed(path: readonly CameraMotion[], deviation: number): CameraMotion[] {
  const radius = Math.ceil(reach * deviation)
  const bell = Array.from({ length: radius + 1 }, (_, i) => Math.exp(-((i / deviation) ** 2) / 2))
  return path.map((_, at) => {
    let [weights, first, second] = [0, 0, 0]
    let [sum, slope] = [still, still]
    for (let i = Math.max(0, at - radius); i <= Math.min(path.length - 1, at + radius); i++) {
      const weight = bell[Math.abs(i - at)] ?? 0
      const place = path[i] ?? still
      weights += weight
      first += weight * (i - at)
      second += weight * (i - at) ** 2
      sum = combined(sum, place, weight)
      slope = combined(slope, place, weight * (i - at))
    }
    const spread = weights * second - first ** 2
    if (!(spread > 0)) return path[at] ?? still
    return combined(combined(still, sum, second / spread), slope, -first / spread)
  })
}

/** Pixels that the filter mixes in from neighbours at an edge. */
const edgePixels = 2

/** Which share of each side is seen without a border, if the picture is moved by this. */
function seenOf({ x, y, turn }: CameraMotion, { width, height }: Moved): number {
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))]
  return Math.min(
    (width - 2 * (Math.abs(x) + edgePixels)) / (cos * width + sin * height),
    (height - 2 * (Math.abs(y) + edgePixels)) / (sin * width + cos * height),
  )
}

/** Limits how far a picture is moved. */
function limited(correction: CameraMotion, moved: Moved): CameraMotion {
  if (seenOf(correction, moved) >= leastSeen) return correction
  let [least, most] = [0, 1]
  for (let i = 0; i < 20; i++) {
    const middle = (least + most) / 2
    const isSeen = seenOf(combined(still, correction, middle), moved) >= leastSeen
    if (isSeen) least = middle
    else most = middle
  }
  return combined(still, correction, least)
}
