import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Progress } from '../../client/src/cli/terminal/progress.ts'
import { Screen } from '../../client/src/cli/terminal/screen.ts'
import { ApiError, ConnectionError, VideoFailedError } from '../../client/src/errors.ts'
import { Spool } from '../../client/src/spool.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { isForItsOwnerAlone } from '../start/default-allowed-hosts.ts'
import type { DemoData, Made } from './demo-data.ts'
import { checkWebhook } from './check-webhook.ts'
import { describeWork } from './describe-work.ts'
import { makeClip } from './make-clip.ts'
import { makeVideo, type Workshop } from './make-video.ts'
import { measureSound } from './measure-sound.ts'
import { NearServer } from './near-server.ts'
import type { DemoOptions } from './options.ts'
import { OwnService } from './own-service.ts'
import { demoPage } from './page/demo-page.ts'
import { listWishes } from './wishes.ts'

/** Runs the whole demo, and returns the exit code. */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<number> {
  const screen = new Screen(process, {})
  const progress = new Progress(screen, () => Date.now())
  const near = await NearServer.start()
  let service: OwnService | undefined
  try {
    await ensureFfmpeg((line) => progress.say(line))
    await mkdir(options.out, { recursive: true })
    if (!options.service) {
      progress.show({ label: 'Starting a service' })
      service = await OwnService.start(signal)
      progress.done(`${screen.mark('good')} Started a service at ${service.baseUrl}`)
    }
    const reached = options.service ?? service
    if (!reached) throw new Error('no service was started')
    const { baseUrl, apiKey } = reached
    const shop = {
      spool: new Spool({ baseUrl, apiKey }),
      out: options.out,
      progress,
      screen,
      signal,
    }
    const page = await makePage(shop, near, baseUrl)
    progress.stop()
    screen.note('')
    screen.print(`Open ${page}`)
    return 0
  } catch (error) {
    if (signal.aborted) screen.note('Stopped.')
    throw explained(error)
  } finally {
    progress.stop()
    await near.close()
    await service?.stop()
  }
}

async function makePage(shop: Workshop, near: NearServer, baseUrl: string): Promise<string> {
  const { out, progress, screen, signal, spool } = shop
  // A wrong address or key is known before the work begins.
  await spool.usage.get({}, { signal })
  const before = path.join(out, 'before.mp4')
  progress.show({ label: 'Making a clip with speech, pauses and hum' })
  await makeClip(before, signal)
  const beforeSound = await measureSound(before, signal)
  progress.done(`${screen.mark('good')} Made a clip of ${beforeSound.seconds.toFixed(1)} s`)
  const isNear = isForItsOwnerAlone({ host: new URL(baseUrl).hostname, baseUrl: undefined })
  const reachable = { logo: near.url('logo.png'), webhook: near.url('hook') }
  const made: Made[] = []
  for (const wish of listWishes(isNear ? reachable : undefined)) {
    made.push(await makeVideo(wish, before, shop))
  }
  const [talk] = made
  if (!talk) throw new Error('nothing was made')
  const data: DemoData = {
    madeAt: new Date().toISOString(),
    before: { file: 'before.mp4', sizeInBytes: (await stat(before)).size, sound: beforeSound },
    after: {
      sound: await measureSound(path.join(out, talk.file), signal),
      ...(await describeWork(talk.video, shop)),
    },
    made,
    webhook: isNear ? await checkWebhook(spool, near, { progress, screen, signal }) : undefined,
  }
  const page = path.join(out, 'index.html')
  await writeFile(page, demoPage(data))
  return page
}

/** What a person can act on is said plainly. */
function explained(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof ConnectionError) {
    return new StopWithMessage(error.message, 1, { cause: error })
  }
  if (error instanceof VideoFailedError) {
    return new StopWithMessage(`A video failed: ${error.message}`, 1, { cause: error })
  }
  return error
}
