import { existsSync } from 'node:fs'
import { serviceVersion } from '../../worker/contract/service-version.ts'
import { ensureFfmpeg, hasFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { ensureFonts } from '../machine/ensure-fonts.ts'
import { emptyFolder, removeIfPossible } from '../machine/write-file.ts'
import { freePorts, portState, type PortState } from '../machine/ports.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { announcement } from './output/announce.ts'
import { awaitHealth } from './parts/await-health.ts'
import { claimDataDirectory, releaseDataDirectory } from './data/claim-data-directory.ts'
import { createDataDirectory } from './data/data-directory.ts'
import { followSecret } from './follow-secret.ts'
import { ensureLocalAccount } from './local-account.ts'
import { isLoopbackName } from '../../worker/contract/addresses/public-url.ts'
import { reachFromBridge } from '../containers/reach-from-bridge.ts'
import { bringUpWorker } from './parts/bring-up-worker.ts'
import { laptopDefaults } from './laptop-defaults.ts'
import { noteTo, type News, type Teller } from './output/news.ts'
import { ownMachine } from './own-machine.ts'
import { baseUrlOf } from './parts/part-environments.ts'
import { mediaWarnings } from './remote-media-workers.ts'
import { lookUpJob } from './output/job-board.ts'
import type { ServiceRun } from './run.ts'
import { ensureSecrets } from './data/secrets.ts'
import { Service } from './service.ts'
import { isDiskFull } from '../../containers/errors/job-error.ts'
import { awaitRoomToStart, DiskWatch, lackOfRoom } from './data/watch-disk.ts'
import { watchPart } from './parts/watch-part.ts'
import { sweepWorkDirectory } from './data/sweep-work-directory.ts'
import type { Settings } from './settings.ts'

const healthPatienceMs = 60_000
/** A part that dies this often before the first answer will never come up. */
const hopelessDeaths = 4

/** Runs until the signal; stops what it started before it returns or throws. `onExit` is for a sudden exit. */
export async function runService(
  asked: RunOptions,
  teller: Teller,
  stop: AbortSignal,
  onExit: (killNow: () => void) => void,
): Promise<void> {
  const { settings } = asked
  const lookAtFfmpeg = async () => ensureFfmpeg(noteTo(teller), [settings.SPOOL_DATA_DIR])
  // A check takes a third of a second; if both programs are on the path, it can wait until everything runs.
  const needsFfmpeg = settings.MEDIA_WORKERS > 0
  const isThere = hasFfmpeg()
  if (needsFfmpeg && !isThere) await lookAtFfmpeg()
  if (needsFfmpeg) ensureFonts(noteTo(teller))
  // Not earlier, because files that the system's package manager writes are for all users of the machine.
  process.umask(0o077)
  const diskOf = { folder: settings.SPOOL_DATA_DIR, reserveBytes: settings.MIN_FREE_BYTES }
  await awaitRoomToStart(diskOf, teller, stop)
  if (stop.aborted) return
  const upAndRunning = async () => {
    if (needsFfmpeg && isThere) await lookAtFfmpeg()
  }
  try {
    await serveUntil(stop, asked, {
      teller,
      disk: new DiskWatch(diskOf, teller),
      onExit,
      upAndRunning,
    })
  } catch (error) {
    // Whatever could not be written: the Worker, which wrote it, says it in words of its own.
    const { folder } = diskOf
    const lack =
      lackOfRoom(folder) ?? (isDiskFull(error) ? `The disk of ${folder} is full.` : undefined)
    if (lack === undefined) throw error
    throw new StopWithMessage(`${lack} Make room and start again.`, 1, { cause: error })
  }
}

type RunOptions = Pick<ServiceRun, 'mode' | 'settings' | 'tellsSecrets' | 'host'>
type RunSurroundings = {
  teller: Teller
  disk: DiskWatch
  onExit: (killNow: () => void) => void
  upAndRunning: () => Promise<void>
}

async function serveUntil(
  stop: AbortSignal,
  asked: RunOptions,
  { teller, disk, onExit, upAndRunning }: RunSurroundings,
): Promise<void> {
  const { settings, host } = asked
  const data = createDataDirectory(settings.SPOOL_DATA_DIR)
  await claimDataDirectory(data)
  try {
    refuseHalfRestored(data)
    removeIfPossible(data.devFile)
    await requirePort(settings)
    const ports = await choosePorts(settings.MEDIA_WORKERS)
    const own = await ownMachine(settings, ports)
    const secrets = ensureSecrets(data.secrets)
    const run: ServiceRun = { ...asked, data, secrets, ports, own }
    const service = await prepareService(run, ports.media, teller, disk)
    onExit(() => service.killNow())
    try {
      const unreach = host && (await reachedBy(host.gateway, settings))
      stop.addEventListener('abort', () => unreach?.())
      await bringUp(run, service, teller, stop)
      if (!stop.aborted) await upAndRunning()
      globalThis.gc?.()
      await once(stop)
      teller.tell({ event: 'stopping', text: 'Stopping …', fields: {} })
    } finally {
      await service.stop()
      host?.removeLeftovers()
    }
  } finally {
    disk.stop()
    releaseDataDirectory(data)
  }
}

/** A service that listens everywhere listens at the bridge already. */
async function reachedBy(gateway: string, { HOST, PORT }: ServiceRun['settings']) {
  return isLoopbackName(HOST) ? reachFromBridge(gateway, PORT) : undefined
}

function refuseHalfRestored({ base, restoring }: ServiceRun['data']): void {
  if (!existsSync(restoring)) return
  throw new StopWithMessage(
    `A restore into ${base} was broken off. Run it again: npm run admin -- restore DIR`,
  )
}

/** The port at which editors and Chromium look for a debugger first. */
const usualInspectorPort = 9229

async function choosePorts(mediaWorkers: number) {
  const [entry = 0, loopback = 0, other = 0, ...media] = await freePorts(mediaWorkers + 3)
  const usual = await portState('127.0.0.1', usualInspectorPort)
  return { entry, loopback, inspector: usual === 'free' ? usualInspectorPort : other, media }
}

async function prepareService(
  run: ServiceRun,
  ports: readonly number[],
  teller: Teller,
  disk: DiskWatch,
): Promise<Service> {
  const places = ports.map((port, index) => ({ number: index + 1, port }))
  for (const { number } of places) await sweepWorkDirectory(run.data.work(number))
  emptyFolder(run.data.temporary)
  disk.start()
  return new Service(run, places, teller, disk)
}

async function bringUp(
  run: ServiceRun,
  service: Service,
  teller: Teller,
  stop: AbortSignal,
): Promise<void> {
  if (stop.aborted) return
  for (const text of mediaWarnings(run.settings)) teller.tell(warning(text))
  const { base: dataDirectory } = run.data
  const starting = { version: serviceVersion, pid: process.pid, dataDirectory }
  teller.tell({ event: 'starting', text: 'Starting Spool …', fields: starting })
  service.startMediaWorkers()
  const watched = await bringUpWorker(run, service, noteTo(teller), stop)
  const baseUrl = baseUrlOf(run.settings)
  await requireHealth(run, service, noteTo(teller), stop)
  if (stop.aborted) return
  const target = { baseUrl, adminSecret: run.secrets.adminSecret }
  const account = await ensureLocalAccount(target, run.data.localAccount)
  if (stop.aborted) return
  let published = service.publish(account)
  service.followJobs(lookUpJob(target))
  const unfollow = followSecret(target, account.accountId, (webhookSecret) => {
    if (webhookSecret !== published.webhookSecret) {
      published = service.publish({ ...account, webhookSecret })
    }
  })
  stop.addEventListener('abort', unfollow)
  for (const one of [...(watched ? [watched] : []), ...service.watchedMedia()]) {
    void watchPart(one, stop)
  }
  teller.tell(await announcement(published, run, target, account.accountId))
  for (const text of laptopDefaults(run.settings)) teller.tell(warning(text))
}

function warning(text: string): News {
  return { event: 'note', level: 'warn', text }
}

async function requireHealth(
  { mode, settings, data }: ServiceRun,
  service: Service,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const baseUrl = baseUrlOf(settings)
  const giveUp = new AbortController()
  // A person starts `wrangler dev` whenever they are ready.
  const patienceMs = mode === 'dev-by-hand' ? 2 ** 31 - 1 : healthPatienceMs
  const timer = setTimeout(() => giveUp.abort(), patienceMs)
  const isHopeless = (): boolean => service.isRefused || service.deaths >= hopelessDeaths
  const watch = setInterval(() => isHopeless() && giveUp.abort(), 100)
  try {
    const result = await awaitHealth(baseUrl, {
      giveUp: AbortSignal.any([giveUp.signal, stop]),
      waitsForMediaWorkers: settings.MEDIA_WORKERS > 0,
    })
    if (result.healthy && result.lacksMediaWorkers) say(noneAnswers(settings))
    if (result.healthy || stop.aborted) return
    if (service.isRefused) throw new StopWithMessage(`The logs are in ${data.logs}`, 2)
    throw new StopWithMessage(
      `Spool did not become healthy. Last answer of ${baseUrl}/health: ${result.lastAnswer}\nThe logs are in ${data.logs}`,
    )
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
  }
}

function noneAnswers({ MEDIA_WORKER_URLS: urls }: ServiceRun['settings']): string {
  return `Warning: no media worker answers at ${urls.join(', ')}. Jobs wait until one does.`
}

async function once(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  // A pending promise does not keep a process alive; the parts do, and this timer does while a part is being restarted.
  const alive = setInterval(() => undefined, 2 ** 30)
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  clearInterval(alive)
}

/** Stops with advice if the service cannot listen where it was told to. */
async function requirePort({ HOST, PORT }: Settings): Promise<void> {
  const state = await portState(HOST, PORT)
  if (state !== 'free') throw new StopWithMessage(adviceFor(state, HOST, PORT))
}

function adviceFor(state: Exclude<PortState, 'free'>, host: string, port: number): string {
  switch (state) {
    case 'taken': {
      const other = port < 65_535 ? port + 1 : 8787
      return `Port ${port} is already in use. Stop what listens there, or start Spool with another one: PORT=${other} npm start`
    }
    case 'forbidden':
      return `Port ${port} may not be used by this user. Start Spool with one above 1023: PORT=8787 npm start`
    case 'foreign':
      return `HOST=${host} is not an address of this machine. Use one of its own, or 0.0.0.0 for all: HOST=0.0.0.0 npm start`
  }
}
