import type { Plainly } from '../plain-parts.ts'

/** One try of a part, as the object of its job keeps it. */
type Kept = {
  n: number
  try: number
  state: string
  pictures: number
  result?: { pictures: number }
  startedAt: number
  endedAt?: number
}
type Told = { n: number; state: string; tries: number; pictures: number; durationMs: number }

const endedWithinSeconds = 7_200
const stepSeconds = 5
/** Longer than an answer takes. */
const nearMs = 200

/** While a film is made in parts, the record of its job tells each of them as its object knows it, and later what became of them. */
export async function judgeShownParts(
  { own, database, deployment, world }: Plainly,
  videoId: string,
): Promise<void> {
  const [row] = database.read('SELECT id FROM jobs WHERE video_id = ?', videoId)
  const jobId = String(row?.['id'])
  const isOver = (): boolean =>
    database.read('SELECT 1 FROM videos WHERE id = ? AND finished_at > 0', videoId).length > 0
  const known = (): Told[] => {
    const kept = deployment.storageOf('JOB_RUNNER', jobId)?.kv.list({ prefix: 'part/' }) ?? []
    return partsOf(
      kept.map(([, part]) => part as Kept),
      world.loop.wall,
    )
  }
  const read = async (): Promise<Told[][]> => {
    const { attempts } = await own.expect(200, ['GET', `/v1/jobs/${jobId}`])
    return (attempts as { parts: Told[] }[]).map(({ parts }) => parts)
  }
  let last: Told[] = []
  for (let seconds = 0; seconds < endedWithinSeconds && !isOver(); seconds += stepSeconds) {
    await own.pause(stepSeconds * 1_000)
    const before = known()
    const told = (await read()).at(-1) ?? []
    const after = known()
    // One may just have begun or ended.
    if (isOver() || textOf(before) !== textOf(after)) continue
    own.same('the parts of a film', told.map(withoutTime), after.map(withoutTime))
    const late = told.find(
      (one, i) => Math.abs(one.durationMs - (after[i]?.durationMs ?? 0)) > nearMs,
    )
    own.same('a part that tells another time', late, undefined)
    last = told
  }
  const later = (await read()).flat()
  const lost = last.filter(
    (one) => one.state === 'stored' && !later.some((other) => textOf([one]) === textOf([other])),
  )
  own.same('the parts of a film of which nothing is told later', lost, [])
}

function textOf(parts: readonly Told[]): string {
  return JSON.stringify(parts.map(withoutTime))
}

function withoutTime({ n, state, tries, pictures }: Told) {
  return { n, state, tries, pictures }
}

/** The try that was stored counts, or else one at work, or else the last. */
function partsOf(kept: readonly Kept[], now: number): Told[] {
  const rank = ({ state }: Kept): number =>
    state === 'stored' ? 2 : state === 'running' || state === 'offered' ? 1 : 0
  const byPart = [...Map.groupBy(kept, ({ n }) => n)].sort(([a], [b]) => a - b)
  return byPart.flatMap(([n, tries]) => {
    const [best] = tries.toSorted((a, b) => rank(b) - rank(a) || b.try - a.try)
    if (!best) return []
    const { startedAt, endedAt = now, state, result, pictures } = best
    return {
      ...{ n, tries: tries.length, pictures: result?.pictures ?? pictures },
      state: state === 'offered' ? 'running' : state,
      durationMs: endedAt - startedAt,
    }
  })
}
