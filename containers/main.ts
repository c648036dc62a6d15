import { once } from 'node:events'
import { exposures, type Confinement } from './confine/confinement.ts'
import { findConfinement, versionOf } from './confine/find-confinement.ts'
import { chooseProviders } from './insight/choose-providers.ts'
import { makeJobFolder, removeJobFolder, removeLeftovers } from './job/job-folder.ts'
import { startJob } from './job/run-job.ts'
import { JobSlots } from './slots/job-slots.ts'
import { createLog, stackOf } from './errors/log.ts'
import { createMediaServer } from './serve.ts'
import { loadSettings, SettingsError, type Settings } from './settings/settings.ts'
import { takeSecrets } from './settings/take-secrets.ts'

/** Longer than a kill with its grace and a last report; shorter than the patience of whoever stops us. */
const shutdownPatienceMs = 7_000

const log = createLog((line) => process.stdout.write(line))

function readSettings(): Settings {
  try {
    return loadSettings(takeSecrets(process.env))
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`The media worker cannot start: ${error.message}\n`)
    process.exit(2)
  }
}

const mediaPrograms = ['ffmpeg', 'ffprobe'] as const

/** How ffmpeg is kept from what is not its business; said once what this system cannot prevent. */
async function prepareFfmpeg(settings: Settings): Promise<Confinement> {
  const folder = await makeJobFolder(settings.SPOOL_WORK_DIR)
  try {
    const hidden = [settings.SPOOL_DATA_DIR ?? settings.SPOOL_WORK_DIR]
    const confinement = await findConfinement({ folder, hidden, programs: mediaPrograms })
    const exposed = exposures(confinement)
    log(exposed.length > 0 ? 'warn' : 'info', 'ffmpeg is confined', {
      by: confinement.layers.join(', ') || 'nothing',
      ...(exposed.length > 0 && { couldStill: exposed.join('; ') }),
    })
    // Plans are made for 5.1; another major may name options and filters differently.
    const version = await versionOf('ffmpeg', confinement, folder)
    if (!version.startsWith('5.')) log('warn', 'Made for ffmpeg 5.1', { version })
    return confinement
  } finally {
    await removeJobFolder(folder)
  }
}

async function start(settings: Settings): Promise<void> {
  // What is fetched must be readable by the group of ffmpeg's user, and is nobody else's business.
  process.umask(0o027)
  const removed = await removeLeftovers(settings.SPOOL_WORK_DIR)
  if (removed.length > 0) log('warn', 'Removed leftovers', { folders: removed.length })
  const confinement = await prepareFfmpeg(settings)
  const providers = chooseProviders(settings)
  const ownPorts = new Set(settings.OWN_PORTS)
  const known = { ...settings, OWN_PORTS: ownPorts }
  const rooms = { slots: settings.MEDIA_SLOTS, fetching: settings.MEDIA_FETCHING }
  const slots = new JobSlots(rooms, (job, hold) => {
    const jobLog = log.with({ jobId: job.jobId, fence: job.fence })
    return startJob({ job, settings: known, log: jobLog, providers, confinement, ...hold })
  })
  const server = createMediaServer({ slots, token: settings.MEDIA_WORKER_TOKEN, log })
  server.listen(settings.MEDIA_PORT, settings.MEDIA_HOST)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  if (port !== undefined) ownPorts.add(port)
  log('info', 'Media worker ready', { host: settings.MEDIA_HOST, port, slots: slots.count })

  stopOnSignals(slots, settings.STOP_GRACE_SECONDS * 1_000)
}

/**
 * SIGTERM lets end what the grace is enough for. SIGINT, and any signal after the first, is from somebody who waits: everything
 * is handed back at once. The server stays open until the end: closed slots answer 503, which is kinder than a refused
 * connection.
 */
function stopOnSignals(slots: JobSlots, graceMs: number): void {
  let isStopping = false
  const leave = (finishMs: number): void => {
    setTimeout(() => process.exit(0), finishMs + shutdownPatienceMs)
    void slots.close('shutdown', finishMs).then(() => process.exit(0))
  }
  const stop = (signal: NodeJS.Signals): void => {
    log('info', 'Media worker stops', { signal, jobs: slots.running + slots.fetching })
    leave(signal === 'SIGTERM' && !isStopping ? graceMs : 0)
    isStopping = true
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

start(readSettings()).catch((error: unknown) => {
  log('error', 'The media worker could not start', { fault: stackOf(error) })
  process.exit(1)
})
