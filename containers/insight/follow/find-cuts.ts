import { lookAt, type CellFilm, type FilmLook } from './film-look.ts'
import { meanOf } from '../../numbers/mean.ts'

/** The numbers of the pictures with which shots begin, without the first one. A fade is one boundary, a flash is none. */
export function findCuts(film: CellFilm): number[] {
  const look = lookAt(film)
  const blanks = blankRuns(look)
  const jumps = jumpsIn(look, blanks)
  const hard = [...jumps, ...blanks.flatMap(({ cuts }) => cuts)]
  const ramp = look.frames(longestRampSeconds)
  // On the way to black and back, pictures are mixtures too.
  const dissolves = dissolvesIn(look, hard).filter(
    ({ at }) => !blanks.some(({ from, to }) => at > from - ramp && at < to + ramp),
  )
  return settled([...hard, ...dissolves], look)
}

type Boundary = { readonly at: number; readonly strength: number }
type CutRun = { readonly from: number; readonly to: number; readonly cuts: readonly Boundary[] }

/** A fade to black, or from it, takes no longer than this. */
const longestRampSeconds = 1.2
/** A picture with less contrast is blank. */
const blankContrast = 4
/** A long blank stretch has at least one picture this even. */
const evenContrast = 2
/** A short blank stretch between two shots is darker or lighter than these. */
const darkest = 45
const lightest = 200
/** A step of this size looks like a jump, if those around it are much smaller. */
const leastJump = 11
const timesOthers = 3
/** A change that is nearly as large in the pictures before and after is a quick motion. */
const mostBeside = 0.3
/** Pictures before a cut, or after it, may differ by more than those on both sides together. */
const mostOfSide = 0.75
/** A difference of less than this share of the jump means the same picture, stored again. */
const quietShare = 0.15
/** How far steps are looked for beside a jump. */
const aroundSeconds = 0.7
const flashSeconds = 0.4
/** Two pictures that are as like as this show the same. */
const same = 0.85
/** Two successive pictures that are as like as this differ in their light alone. */
const sameLit = 0.95

/** Blank stretches between pictures that are not: what a fade to a colour passes through. */
function blankRuns(look: FilmLook): CutRun[] {
  const runs: CutRun[] = []
  const isBlank = (at: number) => (look.contrasts[at] ?? 0) < blankContrast
  for (let from = 1; from < look.count; from++) {
    if (!isBlank(from) || isBlank(from - 1)) continue
    let to = from
    while (to < look.count && isBlank(to)) to += 1
    const isLong = to - from > look.frames(flashSeconds)
    // On the way to black all pictures become alike, and lose their contrast before they get there.
    const [early, last] = [Math.max(0, from - look.frames(flashSeconds)), from - 1]
    const isSudden = (look.contrasts[last] ?? 0) > (look.contrasts[early] ?? 0) / 2
    const isFlash = !isLong && isSudden && isShownAgain(look, last, to)
    // A plane in a gray sky has as little contrast as a colour, but in a fade nothing changes on one side.
    const isCalm =
      isStill(look, early, to - 1) || isStill(look, from, to + look.frames(flashSeconds))
    // Fine stripes that run across look as even as gray for a moment, once the picture is this small.
    const lights = look.lights.subarray(from, to)
    const isEven = Math.min(...look.contrasts.subarray(from, to)) < evenContrast
    const isEnd = (isLong && isEven) || lights.some((light) => light < darkest || light > lightest)
    if (to < look.count && !isFlash && !isCalm && isEnd) {
      const cuts = endsOf(look, from, to).map((at) => ({ at, strength: 255 }))
      runs.push({ from, to, cuts })
    }
    from = to
  }
  return runs
}

/** Whether a picture is soon shown again: after a flash, the scene comes back gradually. */
function isShownAgain(look: FilmLook, picture: number, from: number): boolean {
  const most = Math.min(look.count, from + look.frames(flashSeconds))
  const jump = look.steps[picture + 1] ?? 0
  for (let at = from; at < most; at++) {
    if (isSameShot(look, [picture, at], jump)) return true
  }
  return false
}

/** Whether nothing changes from one picture to another. */
function isStill(look: FilmLook, from: number, to: number): boolean {
  const last = Math.min(to, look.count - 1)
  for (let at = from + 1; at <= last; at++) {
    if (look.apart(from, at) >= leastJump) return false
  }
  return true
}

/** A blank stretch this long is a shot, if it begins or ends with a cut. */
const emptyShotSeconds = 0.8

/** Where shots begin next to a blank stretch: in the middle of a fade. */
function endsOf(look: FilmLook, from: number, to: number): number[] {
  const early = look.frames(flashSeconds)
  const isHard = (at: number, beside: number, farther: number): boolean =>
    (look.steps[at] ?? 0) >= leastJump &&
    // On the way to blank all pictures lose their contrast.
    (look.contrasts[beside] ?? 0) > (look.contrasts[farther] ?? 0) * 0.7
  const ends = [
    ...(isHard(from, from - 1, Math.max(0, from - early)) ? [from] : []),
    ...(isHard(to, to, Math.min(look.count - 1, to + early)) ? [to] : []),
  ]
  const isShot = to - from > look.frames(emptyShotSeconds)
  return isShot && ends.length > 0 ? ends : [Math.round((from + to) / 2)]
}

function jumpsIn(look: FilmLook, blanks: readonly CutRun[]): Boundary[] {
  const { steps, count } = look
  const found: Boundary[] = []
  for (let at = 1; at < count; at++) {
    const strength = steps[at] ?? 0
    if (strength < leastJump || blanks.some(({ from, to }) => at >= from && at <= to)) continue
    const [before, after] = [usualStep(look, at, -1), usualStep(look, at, 1)]
    const usual = [before ?? after ?? 0, after ?? before ?? 0] as const
    const [least, most] = [Math.min(...usual), Math.max(...usual)]
    const isJump = strength >= timesOthers * Math.max((least + most) / 2, mostOfSide * most)
    const isLitAlone = look.likeness(at - 1, at) > sameLit
    if (isJump && isSudden(look, at) && !isLitAlone && !isOfFlash(look, at))
      found.push({ at, strength })
  }
  return found
}

/** Whether neither this step nor a larger one beside it is in the middle of a quick motion. */
function isSudden({ steps }: FilmLook, at: number): boolean {
  return [at - 1, at, at + 1].every((place) => {
    const step = steps[place] ?? 0
    const beside = Math.min(steps[place - 1] ?? 0, steps[place + 1] ?? 0)
    return step < (steps[at] ?? 0) || beside < mostBeside * step
  })
}

/**
 * How much pictures on one side of a jump differ from each other, without those that are shown again; undefined at the end of
 * the film.
 */
function usualStep({ steps, ...look }: FilmLook, at: number, side: -1 | 1): number | undefined {
  const most = look.frames(aroundSeconds)
  const all = side < 0 ? steps.slice(Math.max(1, at - most), at).reverse() : steps.slice(at + 1)
  if (all.length < look.frames(shortestShotSeconds)) return undefined
  const quiet = quietShare * (steps[at] ?? 0)
  const large = all.subarray(0, most).filter((step) => step > quiet)
  const near = calmMean(all.subarray(0, Math.min(4, look.frames(0.15))))
  // Two large steps are not a motion, but a flash or the cuts around it.
  return large.length < 3 ? near : Math.max(near, calmMean(large))
}

/** One other jump may be near: the end of a flash, or the next cut. */
function calmMean(steps: Float32Array): number {
  return meanOf(steps.toSorted().subarray(0, Math.max(1, steps.length - 1)))
}

/** Whether the picture is soon what it was before, with something brighter or darker in between. */
function isOfFlash(look: FilmLook, at: number): boolean {
  const { lights, count } = look
  const jump = look.steps[at] ?? 0
  const most = look.frames(flashSeconds)
  const isBetween = (before: number, after: number): boolean => {
    if (before < 0 || after >= count) return false
    const [ends, middle] = [
      [before, after],
      [before + 1, after - 1],
    ].map((places) => places.map((place) => lights[place] ?? 0))
    const lit = Math.min(...(middle ?? [])) - Math.max(...(ends ?? []))
    const dimmed = Math.min(...(ends ?? [])) - Math.max(...(middle ?? []))
    return Math.max(lit, dimmed) > leastJump / 2 && isSameShot(look, [before, after], jump)
  }
  // It begins or ends here, or becomes lighter and darker.
  for (let before = at - 1; before >= at - most - 1; before--) {
    for (let after = Math.max(at, before + 2); after <= before + most + 1; after++) {
      if (isBetween(before, after)) return true
    }
  }
  return false
}

/** How far a camera may have moved during a flash, in cells. */
const mostMoved = 3

/** Whether two pictures beside a flash show the same, by a camera that may have moved. */
function isSameShot(look: FilmLook, [a, b]: readonly [number, number], jump: number): boolean {
  if (look.likeness(a, b) > same && look.apart(a, b) < jump / 2) return true
  const [before, after] = [look.lights[a] ?? 0, look.lights[b] ?? 0]
  return Math.abs(before - after) < jump / 4 && look.movedLikeness(a, b, mostMoved) > same
}

const leastDissolve = 16
/** How far a picture in the middle may be from the mixture, as a share of how far the two ends are apart. */
const mostUnlike = 0.22

/** A wipe changes nearly all of the picture; somebody large who comes in leaves some of it as it is. */
const leastApart = 0.75

/** How much pictures may change before and behind it, as such a share. */
const mostDrift = 0.35

/** How many times as much as before and after it pictures must differ in a dissolve. */
const leastMore = 1.3
/** How much of it may change in a single step. */
const mostAtOnce = 0.4
/** The most that all steps of a dissolve together may change, as a multiple of what the whole dissolve changes. */
const mostWay = 3

/** Where one shot turns into the next, with mixtures of both in between, or pictures put together of parts of them. */
function dissolvesIn(look: FilmLook, hard: readonly Boundary[]): Boundary[] {
  const found: Boundary[] = []
  for (const seconds of [0.4, 0.8, 1.6, 2.4]) {
    const length = look.frames(seconds)
    if (length < 4) continue
    for (let from = 0; from + length < look.count; from += Math.max(1, Math.floor(length / 8))) {
      const to = from + length
      if (hard.some(({ at }) => at > from - 2 && at <= to + 2)) continue
      const strength = look.apart(from, to)
      if (strength < leastDissolve || look.likeness(from, to) > same) continue
      // A sky that grows lighter is a mixture of two skies.
      if (look.apartBesideLight(from, to) < leastDissolve) continue
      // A texture that moves across changes far more from picture to picture than from end to end.
      const beside = Math.ceil(length / 2)
      const way = look.meanStep(from, to)
      if (way * length > mostWay * strength) continue
      // A change that goes on all the time is light or motion.
      const usual = (look.meanStep(from - beside, from) + look.meanStep(to, to + beside)) / 2
      if (way < leastMore * usual) continue
      if (Math.max(...look.steps.subarray(from + 1, to + 1)) > mostAtOnce * strength) continue
      const drift = Math.max(driftOf(look, from - beside, from), driftOf(look, to, to + beside))
      if (drift > mostDrift * strength) continue
      const isOther = look.shareApart(from, to, strength / 6) >= leastApart
      const isMixed = [0.3, 0.5, 0.7].every((part) => {
        const picture = Math.round(from + part * length)
        const ways = [
          ...[part - 0.15, part, part + 0.15].map((share) =>
            look.unlikeMix(picture, { a: from, b: to, share }),
          ),
          ...(isOther ? [look.unlikeEither(picture, from, to)] : []),
        ]
        return ways.some((unlike) => unlike < mostUnlike * strength)
      })
      if (isMixed) found.push({ at: turnOf(look, from, to), strength })
    }
  }
  return strongest(found, look.frames(1.6))
}

/** The first picture that is nearer to the later shot. */
function turnOf(look: FilmLook, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (look.apart(from, at) >= look.apart(at, to)) return at
  }
  return to
}

/** How much pictures change from one to another; beyond the ends of a film they are assumed to change as before. */
function driftOf({ apart, count }: FilmLook, from: number, to: number): number {
  const [first, last] = [Math.max(0, from), Math.min(count - 1, to)]
  return last > first ? (apart(first, last) * (to - from)) / (last - first) : Infinity
}

/** Of boundaries that are close to each other, the strongest. */
function strongest(boundaries: readonly Boundary[], within: number): Boundary[] {
  const kept: Boundary[] = []
  for (const one of boundaries.toSorted((a, b) => b.strength - a.strength || a.at - b.at)) {
    if (!kept.some(({ at }) => Math.abs(at - one.at) < within)) kept.push(one)
  }
  return kept
}

/** A shorter shot is a flicker. */
const shortestShotSeconds = 0.3

function settled(boundaries: readonly Boundary[], look: FilmLook): number[] {
  const least = look.frames(shortestShotSeconds)
  return strongest(boundaries, least)
    .map(({ at }) => at)
    .filter((at) => at > least && at <= look.count - least)
    .sort((a, b) => a - b)
}
