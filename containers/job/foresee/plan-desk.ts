import type { ForeseenJob } from '../../../worker/contract/job/foresight.ts'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { FetchedFile } from '../../../worker/contract/job/report.ts'
import { JobError } from '../../errors/job-error.ts'
import { fetchSources } from '../fetch/fetch-sources.ts'
import { hashesHeard, hashFetched } from '../fetch/hash-fetched.ts'
import { TooMuchToReadError } from '../fetch/tables-of.ts'
import type { Fetched, JobRun, JobTold } from '../job-context.ts'
import { inJobFolder } from '../job-folder.ts'
import { withoutVideo } from '../run-job.ts'
import { wholeWork } from '../report/work-ahead.ts'
import { paceOf } from '../report/work-kinds.ts'
import { around, rounded } from './ranges.ts'

/** The parts of the media worker that a plan needs. */
type Desk = Pick<JobRun, 'settings' | 'log' | 'processes' | 'confinement' | 'engine'>

type Turn = { readonly account: string; readonly begin: () => void }

/** Plans take no slots, so few are made at a time, and only one for each account. */
const atOnce = 2
const mostWaiting = 8
export const planSeconds = 30
/** The share of its time that a plan may spend on fetching; the rest is for reading what has arrived. */
const fetchingShare = 0.5
const mebibyte = 1024 ** 2
const heads = { pieceBytes: 8 * mebibyte, wholeBytes: 64 * mebibyte }

/** Answers what would become of jobs. Keeps nothing of a plan. */
export class PlanDesk {
  readonly #desk: Desk
  readonly #planMs: number
  readonly #accounts = new Set<string>()
  readonly #waiting: Turn[] = []

  constructor(desk: Desk, planMs = planSeconds * 1_000) {
    this.#desk = desk
    this.#planMs = planMs
  }

  /** `late`: it takes longer than a plan may, whether because of the sources or of this media worker. */
  async plan(job: MediaJob): Promise<ForeseenJob | 'busy' | 'late'> {
    const { account } = job
    if (this.#waiting.length >= mostWaiting) return 'busy'
    const late = AbortSignal.timeout(this.#planMs)
    await new Promise<void>((begin) => {
      this.#waiting.push({ account, begin })
      this.#beginNext()
    })
    try {
      return await planWithin(this.#desk, job, { signal: late, planMs: this.#planMs })
    } catch (error) {
      if (late.aborted) return 'late'
      throw error
    } finally {
      this.#accounts.delete(account)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    const next = this.#waiting.findIndex(({ account }) => !this.#accounts.has(account))
    if (this.#accounts.size >= atOnce || next < 0) return
    const [turn] = this.#waiting.splice(next, 1)
    if (!turn) return
    this.#accounts.add(turn.account)
    turn.begin()
  }
}

async function planWithin(
  desk: Desk,
  asked: MediaJob,
  { signal, planMs }: { readonly signal: AbortSignal; readonly planMs: number },
): Promise<ForeseenJob> {
  const { settings, processes, log, engine } = desk
  signal.throwIfAborted()
  const { job, warnings } = asked.options.analyzeOnly
    ? withoutVideo(asked)
    : { job: asked, warnings: [] }
  const reporter = {
    progress: () => undefined,
    insight: () => undefined,
    expect: () => undefined,
  }
  const onTold = (told: JobTold): void => {
    if (told.type === 'log') log(told.level, told.message, told.fields)
  }
  return inJobFolder(desk, async (folder): Promise<ForeseenJob> => {
    try {
      const fetching = { job, settings, reporter, folder, heads }
      const fetched = await fetchInTime(fetching, { signal, mostMs: planMs * fetchingShare })
      const hashed = await hashIfKnown({ job, folder, signal }, fetched)
      const files = { ...fetched, ...(hashed && { hashes: hashesHeard(hashed, fetched) }) }
      const done = await processes.work({ task: { planned: job, files }, folder, signal, onTold })
      if (done.type !== 'planned') throw new Error('A plan ended as a job')
      const { foreseen } = done
      const made = engine !== undefined && hashed && { made: { engine, files: hashed } }
      return { ...foreseen, warnings: [...warnings, ...foreseen.warnings], ...made }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof TooMuchToReadError) return unread(job, error.message)
      if (!(error instanceof JobError) || error.retryable) throw error
      const { reason, message } = error
      return { ...nothing, refusal: { reason, message } }
    }
  })
}

/** Fetches within the time limit. A source that comes too slowly is of no use to a plan, however small it is. */
async function fetchInTime(
  fetching: Omit<Parameters<typeof fetchSources>[0], 'signal'>,
  { signal, mostMs }: { readonly signal: AbortSignal; readonly mostMs: number },
): Promise<Fetched> {
  const slow = AbortSignal.timeout(mostMs)
  try {
    return await fetchSources({ ...fetching, signal: AbortSignal.any([signal, slow]) })
  } catch (error) {
    if (!slow.aborted || signal.aborted) throw error
    throw new TooMuchToReadError(tooSlow, { cause: error })
  }
}

const tooSlow = 'The sources come so slowly that a plan cannot look at them.'

/** The hashes of all files; undefined if one is here only in part and no earlier job has read it. */
async function hashIfKnown(
  { job, ...where }: Parameters<typeof hashFetched>[0],
  fetched: Fetched,
): Promise<FetchedFile[] | undefined> {
  const { sources, partial = [] } = fetched
  const known = new Map<string, string>()
  for (const name of partial) {
    const sha256 = job.inputs[sources.indexOf(name)]?.sha256
    if (sha256 === undefined) return undefined
    known.set(name, sha256)
  }
  return hashFetched({ job, ...where }, fetched, known)
}

/** The plan of a job whose files could not be read: it takes as long as the last jobs did. */
function unread({ options, paces = {} }: MediaJob, why: string): ForeseenJob {
  const { ms, spread } = paceOf(wholeWork(options).kind, paces)
  const seconds = rounded(around(ms / 1000, Math.max(1.5, spread)), 1)
  return { ...nothing, unknown: [why], seconds, cpuSeconds: seconds }
}

/** What is foreseen for a job whose files could not be read. */
const nothing: ForeseenJob = {
  ...{ sources: [], results: [], warnings: [], unknown: [], refusal: null },
  ...{ seconds: around(0, 0), cpuSeconds: around(0, 0) },
}
