import { serveWork, type ReachedModels, type TaskHands } from './apart/serve-work.ts'
import type { ToolContext } from './ffmpeg/process/run-tool.ts'
import { processorMsOf } from './ffmpeg/process/process-group.ts'
import { chooseProviders } from './insight/choose-providers.ts'
import { JobError } from './errors/job-error.ts'
import type {
  Fetched,
  JobContext,
  JobTold,
  Success,
  JobDone,
  WorkSetup,
  WorkTask,
} from './job/job-context.ts'
import { serviceWindows } from './job/hear/service-windows.ts'
import { foreseeJob } from './job/foresee/foresee-job.ts'
import { ServiceParts } from './job/part/carry-parts.ts'
import { workPart } from './job/part/work-part.ts'
import { leastWallMs, stallMs } from './job/wall-clock.ts'
import { workThrough } from './job/work-through.ts'
import type { Log } from './errors/log.ts'
import type { PartProgress } from './parts/part-carrier.ts'
import { onlyText } from './speech/kept-windows.ts'

/** The entry point of the processes that work on files of customers; `main.ts` starts them. */
serveWork<WorkSetup, WorkTask, JobTold, JobDone>((setup, models) => {
  // Files that ffmpeg writes or reads must be readable by the group of its user.
  process.umask(0o027)
  const providers = chooseProviders(setup.settings, models.open)
  return async (task, hands) => {
    const reach = reachOf(setup, hands)
    if ('part' in task) {
      const onProgress: PartProgress = (told) => hands.tell({ type: 'encoded', ...told })
      const { hear } = providers
      const used = processorTime(models)
      const done = await workPart({
        ...reach,
        ...task,
        tools: { ...reach.tools, limits: { ...reach.tools.limits, wallMs: partWallMs } },
        onProgress,
        hear,
      })
      return { ...done, result: { ...done.result, cpuMs: used() } }
    }
    if ('planned' in task) {
      const { planned: job, files } = task
      const { heard } = job
      const remembered = heard && files.hashes && { words: onlyText(heard), hashes: files.hashes }
      const context = { ...setup, job, providers, ...reach, mayListenMs, remembered }
      return { type: 'planned', foreseen: await foreseeJob(context, files) }
    }
    const { job, files } = task
    const carrier = new ServiceParts({ ...setup, ...reach, job, folder: hands.folder })
    const kept = serviceWindows({ ...reach, job })
    const { hashes } = files
    const remembered = hashes && { words: serviceWindows({ ...reach, job }, 'account'), hashes }
    const shared = { ...setup, job, providers, ...reach, remembered }
    if (job.most) await refuseBeyond({ ...shared, mayListenMs }, files)
    const context = { ...shared, carrier, kept }
    return timed({ ...reach, models }, async () => workThrough(context, files))
  }
})

/** Throws if, by its plan, a job takes more than its customer permits. Its other faults show by themselves. */
async function refuseBeyond(context: JobContext, files: Fetched): Promise<void> {
  const foreseen = await foreseeJob(context, files)
  const { names = [] } = foreseen.ifKept ?? {}
  const isKept = names.length > 0 && (await context.remembered?.words.find(names))?.size
  const { refusal } = (isKept && foreseen.ifKept) || foreseen
  if (refusal?.reason === 'beyond_limit') throw new JobError('beyond_limit', refusal.message)
}

/** Notes the processor time: plans use it to foresee what the next jobs take. */
async function timed(
  { trace, models }: { trace: Pick<JobContext['trace'], 'processor'>; models: ReachedModels },
  work: () => Promise<Success>,
): Promise<Success> {
  const used = processorTime(models)
  try {
    return await work()
  } finally {
    trace.processor(used())
  }
}

/** How much processor time this process, its programs and the models take from now on, in milliseconds. */
function processorTime(models: ReachedModels): () => number {
  const taken = (): number => processorMsOf(process.pid) + models.spentMs()
  const before = taken()
  return () => Math.max(0, taken() - before)
}

/** For a plan, because a person waits for the answer. */
const mayListenMs = 5_000

/** How a job reaches its folder, its programs, and those who wait for it. */
function reachOf(
  setup: WorkSetup,
  { folder, signal, tell, during }: TaskHands<JobTold>,
): Pick<JobContext, 'signal' | 'tools' | 'log' | 'trace' | 'reporter' | 'during'> {
  let phases = 0
  return {
    ...{ signal, during },
    tools: toolsFor(setup, folder, { signal, tell }),
    log: logTo(tell),
    reporter: {
      progress: (phase, share, again = 0) => tell({ type: 'progress', phase, share, again }),
      expect: (ahead) => tell({ type: 'ahead', ahead }),
      insight: (name, state) => tell({ type: 'insight', name, state }),
    },
    trace: {
      async phase(name, work) {
        const id = ++phases
        tell({ type: 'phase', id, name })
        try {
          return await work()
        } finally {
          tell({ type: 'phase', id, name: 'over' })
        }
      },
      plan: (plan) => tell({ type: 'plan', plan }),
      processor: (ms) => tell({ type: 'processor', ms }),
    },
  }
}

/** Only the lead knows how long a part may take: it has a lagging one rendered by another media worker, and stops this one. */
const partWallMs = 3_600_000

function toolsFor(
  { settings, confinement }: WorkSetup,
  folder: string,
  { signal, tell }: Pick<TaskHands<JobTold>, 'signal' | 'tell'>,
): ToolContext {
  return {
    folder,
    signal,
    confinement,
    limits: {
      stallMs,
      wallMs: leastWallMs,
      memoryBytes: settings.FFMPEG_MEMORY_BYTES,
    },
    threads: settings.FFMPEG_THREADS,
    maxPixels: settings.MAX_PIXELS,
    onCommand: (command) => tell({ type: 'command', command }),
  }
}

function logTo(tell: TaskHands<JobTold>['tell']): Log {
  const log = (level: Parameters<Log>[0], message: string, fields?: Parameters<Log>[2]): void =>
    tell({ type: 'log', level, message, fields })
  return Object.assign(log, {
    with: (bound: Parameters<Log>[2]) =>
      logTo((told) =>
        tell(told.type === 'log' ? { ...told, fields: { ...bound, ...told.fields } } : told),
      ),
  })
}
