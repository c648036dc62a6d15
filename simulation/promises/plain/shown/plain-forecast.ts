import type { Plainly } from '../plain-parts.ts'

type Shown = {
  videoId: string
  queuePosition?: number
  estimatedStartAt?: string
  secondsLeft?: number
  secondsLeftRange?: { least: number; most: number }
}
/** When a job in line is said to begin and to end. */
type Span = { position: number; startsAt: number; endsAt: number }

/**
 * What is told is rounded, and two places of one page may have been asked for at two moments, between which a job at work has told
 * when it ends.
 */
const movedMs = 10_000
const pauseMs = 3_000
/** By then those at work have their sources, and it is known when they end. */
const looks = 12

/**
 * What is told of the jobs in line holds together: no more of them are at work at any moment than there are slots, no more of
 * one account than its cap, and those of an account begin in their order. `cap`: that of both accounts, if they have one.
 */
export async function judgeForecasts(parts: Plainly, cap?: number): Promise<void> {
  for (let look = 0; look < looks && !(await foretell(parts, cap)); look++)
    await parts.own.pause(pauseMs)
}

/** Returns whether something was told of both accounts. */
async function foretell(parts: Plainly, cap?: number): Promise<boolean> {
  const { own, other, world, database, slots } = parts
  // A job that has left its slot counts too where the line was just read.
  const running = database.read("SELECT 1 FROM videos WHERE status = 'running'").length
  const most = Math.max(slots, running)
  const mostOf = cap ?? most
  const [mine = [], theirs = []] = await Promise.all(
    [own, other].map(async (by) => {
      const { data } = await by.expect(200, ['GET', '/v1/videos?status=queued&limit=100'])
      const spans = (data as Shown[]).flatMap((one) => spanOf(one, world.loop.wall))
      const inOrder = spans.toSorted((a, b) => a.position - b.position)
      const early = inOrder.find(
        (span, i) => span.startsAt < (inOrder[i - 1]?.startsAt ?? 0) - movedMs,
      )
      by.same('which place in line begins before those ahead of it', early?.position, undefined)
      by.same('how many of an account are to be at work at once', atOnce(spans, mostOf), mostOf)
      const strange = (data as Shown[]).find(isStrange)
      by.same('a time that is left and lies beyond its own range', strange, undefined)
      const vague = (data as Shown[]).find(isVague)
      by.same('what is said to begin, and not when it ends', vague, undefined)
      return spans
    }),
  )
  // A place that two jobs have was told at two moments, between which jobs were called.
  const places = new Set([...mine, ...theirs].map(({ position }) => position))
  if (places.size < mine.length + theirs.length) return false
  own.same('how many are to be at work at once', atOnce([...mine, ...theirs], most), most)
  const isTold = mine.length > 1 && theirs.length > 1
  if (isTold && cap === 1) await judgePlanned(parts, mine, theirs)
  return isTold
}

/** Of an account that may have one at work, what is planned begins when the last of those in line ends. */
async function judgePlanned(
  { own, world, workers }: Plainly,
  mine: readonly Span[],
  theirs: readonly Span[],
): Promise<void> {
  // Containers are started for plans, and those that look at containers know only jobs.
  if (workers.length === 0 || mine.length === 0) return
  const wish = { fileUrl: 'https://sources.example.com/planned.mp4', reuse: false }
  const { startsIn } = await own.expect(200, ['POST', '/v1/plans', wish])
  if (startsIn === null) return
  const { likely, least, most } = startsIn as { likely: number; least: number; most: number }
  const leftOf = (spans: readonly Span[]) =>
    Math.max(...spans.map(({ endsAt }) => endsAt)) - world.loop.wall
  const [first, last] = [leftOf(mine), leftOf([...mine, ...theirs])]
  const leftMs = likely * 1_000
  // What has been told of those in line was foreseen a little earlier, and each may end a little later.
  const isSo = leftMs > first / 2 - movedMs && leftMs < last * 2 + movedMs
  own.same('whether a plan begins when the line has come to its end', isSo, true)
  own.same('whether it says how sure that is', least <= likely && likely <= most, true)
}

function isStrange({ secondsLeft = 0, secondsLeftRange: range }: Shown): boolean {
  return range !== undefined && !(range.least <= secondsLeft && secondsLeft <= range.most)
}

/** Those that have ended tell how long others take. */
function isVague({ estimatedStartAt, secondsLeft }: Shown): boolean {
  return estimatedStartAt !== undefined && estimatedStartAt !== null && secondsLeft === undefined
}

function spanOf(shown: Shown, wall: number): Span[] {
  const { queuePosition: position, estimatedStartAt, secondsLeft } = shown
  if (position === undefined || estimatedStartAt === undefined || secondsLeft === undefined)
    return []
  return [{ position, startsAt: Date.parse(estimatedStartAt), endsAt: wall + secondsLeft * 1_000 }]
}

/** How many of these are at work at once, or `most` if that is more. */
function atOnce(spans: readonly Span[], most: number): number {
  const counts = spans.map(
    ({ startsAt }) =>
      spans.filter((one) => one.startsAt <= startsAt && one.endsAt > startsAt + movedMs).length,
  )
  return Math.max(most, ...counts)
}
