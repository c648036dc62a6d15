type Job = {
  jobId: string
  accountId: string
  createdAt: number
  chain: number
  deadline: number
}
type Plan = { weight: number; maxRunning: number | null; version: number; turn: number | null }
type Line = {
  setPlan: (accountId: string, plan: Plan) => void
  join: (job: Job) => void
  take: (now: number) => Job | undefined
  begin: (jobId: string, now: number) => void
  end: (jobId: string) => void
  dueAt: (now: number) => number | undefined
}
type LineForecast = { placesOf: (jobIds: readonly string[], now: number) => Promise<unknown> }
/** The exports of the compiled service that are measured. */
export type LineParts = {
  Line: new () => Line
  LineForecast: new (line: Line, ask: () => Promise<undefined>) => LineForecast
}
export type Size = { accounts: number; waiting: number }
type Measured = Size & { turnMs: number; placeMs: number }

const turns = 200
const startsAt = Date.UTC(2026, 10, 23)
const plan: Plan = { weight: 1, maxRunning: null, version: 0, turn: null }

/**
 * Measures how long the object that gives out slots computes for one job: it comes, gets its turn, begins and ends, and each
 * time the object asks when to ring next. Also measures the first question for a place after the line has moved.
 */
export async function measureLine(
  parts: LineParts,
  { accounts, waiting }: Size,
): Promise<Measured> {
  const line = new parts.Line()
  const forecast = new parts.LineForecast(line, async () => undefined)
  for (let number = 0; number < waiting; number++) join(line, number, accounts)
  const begun = process.cpuUsage()
  for (let number = waiting; number < waiting + turns; number++) {
    join(line, number, accounts)
    line.dueAt(startsAt)
    const next = line.take(startsAt)
    line.dueAt(startsAt)
    if (!next) throw new Error('nobody waits')
    line.begin(next.jobId, startsAt)
    line.dueAt(startsAt)
    line.end(next.jobId)
    line.dueAt(startsAt)
  }
  const turnMs = computedMs(begun) / turns
  const asked = process.cpuUsage()
  await forecast.placesOf([`j_${waiting + turns - 1}`], startsAt)
  return { accounts, waiting, turnMs, placeMs: computedMs(asked) }
}

/** Processor time, so that other work on the machine does not count. */
function computedMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

function join(line: Line, number: number, accounts: number): void {
  const accountId = `a_${number % accounts}`
  line.setPlan(accountId, plan)
  const job = { jobId: `j_${number}`, accountId, createdAt: startsAt + number }
  line.join({ ...job, chain: 0, deadline: Infinity })
}
