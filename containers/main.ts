import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { chooseProviders } from './insight/choose-providers.ts'
import { removeLeftovers } from './job/job-folder.ts'
import { startJob } from './job/run-job.ts'
import { JobSlots } from './job-slots.ts'
import { createLog, stackOf, type Log } from './log.ts'
import { createMediaServer } from './serve.ts'
import { loadSettings, SettingsError, type Settings } from './settings.ts'

/** Longer than a kill with its grace and a last report; shorter than the patience of whoever stops us. */
const shutdownPatienceMs = 7_000

/** A job with less than this to go is finished when the media worker has to leave. */
const nearlyDoneMs = 30_000

const log = createLog((line) => process.stdout.write(line))

function readSettings(): Settings {
  try {
    return loadSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`The media worker cannot start: ${error.message}\n`)
    process.exit(2)
  }
}

/** Plans are made for 5.1; another major may name options and filters differently. */
async function checkFfmpeg(log: Log): Promise<void> {
  const { stdout } = await promisify(execFile)('ffmpeg', ['-version'])
  const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown'
  if (!version.startsWith('5.')) log('warn', 'Made for ffmpeg 5.1', { version })
}

async function start(settings: Settings): Promise<void> {
  await checkFfmpeg(log)
  const removed = await removeLeftovers(settings.SPOOL_WORK_DIR)
  if (removed.length > 0) log('warn', 'Removed leftovers', { folders: removed.length })
  const providers = chooseProviders(settings)
  const ownPorts = new Set(settings.OWN_PORTS)
  const known = { ...settings, OWN_PORTS: ownPorts }
  const rooms = { slots: settings.MEDIA_SLOTS, fetching: settings.MEDIA_FETCHING }
  const slots = new JobSlots(rooms, (job, hold) => {
    const jobLog = log.with({ jobId: job.jobId, fence: job.fence })
    return startJob({ job, settings: known, log: jobLog, providers, ...hold })
  })
  const server = createMediaServer({ slots, token: settings.MEDIA_WORKER_TOKEN, log })
  server.listen(settings.MEDIA_PORT, settings.MEDIA_HOST)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  if (port !== undefined) ownPorts.add(port)
  log('info', 'Media worker ready', { host: settings.MEDIA_HOST, port, slots: slots.count })

  stopOnSignals(slots)
}

/**
 * SIGTERM lets end what is nearly done. SIGINT, and any signal after the first, is from somebody who waits: everything
 * is handed back at once. The server stays open until the end: closed slots answer 503, which is kinder than a refused
 * connection.
 */
function stopOnSignals(slots: JobSlots): void {
  let isStopping = false
  const leave = (finishMs: number): void => {
    setTimeout(() => process.exit(0), finishMs + shutdownPatienceMs)
    void slots.close('shutdown', finishMs).then(() => process.exit(0))
  }
  const stop = (signal: NodeJS.Signals): void => {
    log('info', 'Media worker stops', { signal, jobs: slots.running + slots.fetching })
    leave(signal === 'SIGTERM' && !isStopping ? nearlyDoneMs : 0)
    isStopping = true
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

start(readSettings()).catch((error: unknown) => {
  log('error', 'The media worker could not start', { fault: stackOf(error) })
  process.exit(1)
})
