import { once } from 'node:events'
import path from 'node:path'
import { judgeDisk } from '../worker/contract/job/disk-space.ts'
import { settingsReadBy } from '../worker/contract/settings/table.ts'
import type { LinkedModels } from './apart/model-relay.ts'
import { WorkProcesses } from './apart/work-processes.ts'
import { exposures, type Confinement } from './confine/confinement.ts'
import { aboutProgram, findConfinement, placesOf, versionIn } from './confine/find-confinement.ts'
import { chooseProviders } from './insight/choose-providers.ts'
import type {
  JobHold,
  JobProcesses,
  JobTold,
  StartedJob,
  JobDone,
  WorkSettings,
  WorkSetup,
  WorkTask,
} from './job/job-context.ts'
import { readScratch } from './job/disk-room.ts'
import { makeJobFolder, removeJobFolder, removeLeftovers } from './job/job-folder.ts'
import { PlanDesk } from './job/foresee/plan-desk.ts'
import { startPart } from './job/part/run-part.ts'
import { startJob } from './job/run-job.ts'
import {
  openModelThread,
  type ModelLink,
  type Answered,
  type OpenModel,
} from './models/model-thread.ts'
import { isPart, JobSlots, type SlotJob } from './slots/job-slots.ts'
import { keepDiskReserve } from './slots/keep-disk-reserve.ts'
import { createLog, stackOf } from './errors/log.ts'
import { createMediaServer } from './serve.ts'
import { followCertificate, readCertificate } from './settings/certificate.ts'
import { nameEngine } from './settings/engine.ts'
import { fontFiles } from './text/built-in-fonts.ts'
import { loadSettings, SettingsError, type MediaSettings } from './settings/settings.ts'
import { takeSecrets } from './settings/take-secrets.ts'

/**
 * Longer than killing a program and sending a last report takes; shorter than the time before we are killed ourselves.
 */
const shutdownPatienceMs = 7_000

/** Signals that come this quickly after each other count as one. */
const sameWishMs = 500

const log = createLog((line) => process.stdout.write(line))

function readSettings() {
  try {
    const settings = loadSettings(takeSecrets(process.env))
    return { settings, certificate: readCertificate(settings) }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    refuse(error)
  }
}

function refuse({ message }: SettingsError): never {
  process.stderr.write(`The media worker cannot start: ${message}\n`)
  process.exit(2)
}

const mediaPrograms = ['ffmpeg', 'ffprobe'] as const

/** Finds how ffmpeg can be confined, and logs once what this system cannot prevent. */
async function prepareFfmpeg(
  settings: MediaSettings,
): Promise<{ confinement: Confinement; about: string }> {
  const folder = await makeJobFolder(settings.SPOOL_WORK_DIR)
  try {
    const hidden = [settings.SPOOL_DATA_DIR ?? settings.SPOOL_WORK_DIR]
    const confinement = await findConfinement({ folder, hidden, programs: mediaPrograms })
    const exposed = exposures(confinement)
    log(exposed.length > 0 ? 'warn' : 'info', 'ffmpeg is confined', {
      by: confinement.layers.join(', ') || 'nothing',
      ...(exposed.length > 0 && { couldStill: exposed.join('; ') }),
    })
    // The plans are written for 5.1; another major version may name options and filters differently.
    const about = await aboutProgram('ffmpeg', confinement, folder)
    const version = versionIn(about)
    if (!version.startsWith('5.'))
      log('warn', 'This media worker is made for ffmpeg 5.1', { version })
    return { confinement, about }
  } finally {
    await removeJobFolder(folder)
  }
}

/** Opens the threads with models in this process; the processes of the jobs reach them by their names. */
function modelsIn(models: Map<string, ModelLink<Answered>>): OpenModel {
  return <Answer extends Answered>(...request: Parameters<OpenModel>) => {
    const opened = openModelThread<Answer>(...request)
    models.set(request[0], opened)
    return opened
  }
}

/** Long enough for a machine that starts many processes at once. */
const loadMs = 120_000

/** Long enough for the longest single step of honest work on a busy machine. */
const silentMs = 30_000

/** Starts the processes that work on files of customers, where a deadline and a limit of memory can end the work. */
function startProcesses(
  settings: WorkSettings,
  confinement: Confinement,
  models: LinkedModels,
): JobProcesses {
  const memoryBytes = settings.JOB_MEMORY_BYTES
  return new WorkProcesses<WorkSetup, WorkTask, JobTold, JobDone>({
    entry: new URL('./job-process.ts', import.meta.url),
    setup: { settings, confinement },
    models,
    most: settings.MEDIA_SLOTS,
    limits: { memoryBytes, loadMs, silentMs, stopMs: 1_000, pollMs: 250 },
    keptBytes: memoryBytes * keptShare,
    env: environmentOf(settings.SPOOL_WORK_DIR),
  })
}

/** A process that holds more than this share of its limit after a job is replaced. */
const keptShare = 0.3

/** No settings, and so no secrets; compiled code is kept, so that a process starts in half the time. */
function environmentOf(workDir: string): NodeJS.ProcessEnv {
  const settings = new Set(settingsReadBy('media').map(([name]): string => name))
  const others = Object.entries(process.env).filter(
    ([name]) => !settings.has(name) && name !== 'MEDIA_SECRETS_FD',
  )
  return { NODE_COMPILE_CACHE: path.join(workDir, 'compiled'), ...Object.fromEntries(others) }
}

async function start({ settings, certificate }: ReturnType<typeof readSettings>): Promise<void> {
  // Fetched files must be readable by the group of ffmpeg's user, and by nobody else.
  process.umask(0o027)
  const removed = await removeLeftovers(settings.SPOOL_WORK_DIR)
  if (removed.length > 0) log('info', 'Removed leftovers', { folders: removed.length })
  const { confinement, about } = await prepareFfmpeg(settings)
  const models = new Map<string, ModelLink<Answered>>()
  // A folder that cannot be used is a fault of the settings.
  await chooseProviders(settings, modelsIn(models)).prepare()
  const file = (await placesOf('ffmpeg')).at(-1)
  const engine = nameEngine(settings, { ffmpeg: { about, file }, fonts: await fontFiles() })
  // With the token, one could give this media worker jobs.
  const { MEDIA_WORKER_TOKEN: token, ...others } = settings
  const processes = startProcesses(others, confinement, models)
  const ownPorts = new Set(settings.OWN_PORTS)
  const known = { ...settings, OWN_PORTS: ownPorts }
  const rooms = { slots: settings.MEDIA_SLOTS, fetching: settings.MEDIA_FETCHING }
  const scratch = { folder: settings.SPOOL_WORK_DIR, minFreeBytes: settings.MIN_FREE_BYTES }
  const disk = () => readScratch(scratch)
  const begin = (job: SlotJob, hold: JobHold): StartedJob => {
    const jobLog = log.with({ jobId: job.jobId, fence: job.fence })
    const run = { settings: known, log: jobLog, processes, confinement, engine, ...hold }
    return isPart(job) ? startPart({ job, ...run }) : startJob({ job, ...run })
  }
  const slots = new JobSlots(rooms, begin, { hasDisk: () => judgeDisk(disk()) === 'roomy' })
  keepDiskReserve(slots, disk, log)
  const plans = new PlanDesk({ settings: known, log, processes, confinement, engine })
  const server = createMediaServer({ slots, plans, disk, token, log, certificate, engine })
  followCertificate(server, settings, (error) => {
    log('error', 'The new certificate cannot be used', { fault: stackOf(error) })
  })
  server.listen(settings.MEDIA_PORT, settings.MEDIA_HOST)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  if (port !== undefined) ownPorts.add(port)
  log('info', 'Media worker ready', { host: settings.MEDIA_HOST, port, slots: slots.count })

  stopOnSignals(slots, settings.STOP_GRACE_SECONDS * 1_000)
}

/**
 * After SIGTERM, jobs that can finish within the grace period may do so. SIGINT, and any second signal, comes from
 * somebody who waits: all jobs are handed back at once. The server stays open until the end, because a 503 from closed
 * slots is better than a refused connection.
 */
function stopOnSignals(slots: JobSlots, graceMs: number): void {
  let stoppedAtMs: number | undefined
  const leave = (finishMs: number): void => {
    setTimeout(() => process.exit(0), finishMs + shutdownPatienceMs)
    void slots.close('shutdown', finishMs).then(() => process.exit(0))
  }
  const stop = (signal: NodeJS.Signals): void => {
    // A launcher passes on the signal that a process manager has sent to both.
    const isRepeated = stoppedAtMs !== undefined && performance.now() - stoppedAtMs < sameWishMs
    if (signal === 'SIGTERM' && isRepeated) return
    log('info', 'Media worker stops', { signal, jobs: slots.running + slots.fetching })
    leave(signal === 'SIGTERM' && stoppedAtMs === undefined ? graceMs : 0)
    stoppedAtMs ??= performance.now()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

start(readSettings()).catch((error: unknown) => {
  if (error instanceof SettingsError) refuse(error)
  log('error', 'The media worker could not start', { fault: stackOf(error) })
  process.exit(1)
})
