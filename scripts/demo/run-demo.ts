import path from 'node:path'
import { mkdir, stat, writeFile, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { ProgressDisplay } from '../../client/src/cli/terminal/progress.ts'
import { Screen } from '../../client/src/cli/terminal/screen.ts'
import { ApiError, ConnectionError, VideoFailedError } from '../../client/src/errors.ts'
import { Spool } from '../../client/src/spool.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { isForItsOwnerAlone } from '../start/default-allowed-hosts.ts'
import type { DemoData, Made, Phase } from './demo-data.ts'
import { measureSound } from './measure-sound.ts'
import type { DemoOptions } from './options.ts'
import { OwnService } from './own-service.ts'
import { demoPage } from './page/demo-page.ts'
import { listWishes, type DemoRequest } from './wishes.ts'
import { unwrapWebhook } from '../../client/src/webhook/unwrap-webhook.ts'
import type { Video } from '../../client/src/api-types.ts'
import { root } from '../machine/checkout.ts'
import { runFfmpeg } from './run-ffmpeg.ts'
import { stepOf } from '../../client/src/cli/transfer/follow-video.ts'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Runs the whole demo, and returns the exit code. */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<number> {
  const screen = new Screen(process, {})
  const progress = new ProgressDisplay(screen, () => Date.now())
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

/** Waits for the webhook and checks who signed it, as a receiver does; an error if it was not the service. */
async function checkWebhook(
  spool: Spool,
  near: NearServer,
  { progress, screen, signal }: { progress: ProgressDisplay; screen: Screen; signal: AbortSignal },
): Promise<NonNullable<DemoData['webhook']>> {
  progress.show({ label: 'Waiting for the webhook' })
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  const { headers, body } = await Promise.race([near.webhook, stopped])
  const { secret } = await spool.webhooks.secret({ signal })
  const { type } = await unwrapWebhook(body, headers, secret)
  progress.done(`${screen.mark('good')} The webhook ${type} is genuine: its signature is right`)
  return {
    id: String(headers['webhook-id']),
    type,
    signature: String(headers['webhook-signature']),
  }
}

/** The part of a plan that the page shows; a plan may have another shape in another version. */
const planWithCuts = z.object({
  cuts: z.object({
    list: z.array(z.object({ startTime: z.number(), endTime: z.number(), resultTime: z.number() })),
  }),
})

/** What was cut, what is said, and how long each part of the work took. */
async function describeWork(
  video: Video,
  { spool, signal, out }: Workshop,
): Promise<Omit<DemoData['after'], 'sound'>> {
  const job = await spool.jobs.get(video.jobId, { signal })
  const attempt = job.attempts.at(-1)
  const transcript = await spool.transcripts.segments(video.videoId, { signal })
  const poster = 'poster.jpg'
  if (video.thumbnailUrl) await save(video.thumbnailUrl, path.join(out, poster), signal)
  const begunAt = Date.parse(attempt?.startedAt ?? video.createdAt)
  return {
    cuts: planWithCuts.parse(attempt?.plan).cuts.list,
    words: (transcript.segments ?? []).flatMap(({ words, ...segment }) => words ?? [segment]),
    phases: (attempt?.phases ?? []).map(({ name, startedAt, durationMs }): Phase => ({
      name,
      startSeconds: Math.max(0, (Date.parse(startedAt) - begunAt) / 1000),
      seconds: durationMs / 1000,
    })),
    ...(video.thumbnailUrl && { poster }),
  }
}

const speech = path.join(root, 'docs/examples/speech.mp4')

/** Mains hum with its overtones, and a soft hiss: what a cheap microphone hears in a kitchen. */
const hum = 'aevalsrc=0.012*sin(2*PI*50*t)+0.006*sin(2*PI*100*t)+0.003*sin(2*PI*150*t):s=48000[hum]'
const hiss = 'anoisesrc=colour=pink:amplitude=0.012:sample_rate=48000[hiss]'

/** The speech of the guides' examples, made quiet and put over hum. Its picture stays as it is. */
async function makeClip(file: string, signal: AbortSignal): Promise<void> {
  const said = '[0:a]aresample=48000,volume=-7dB[said]'
  const sound = `${said};${hum};${hiss};[said][hum][hiss]amix=inputs=3:duration=first:normalize=0[sound]`
  await runFfmpeg(
    [
      ...['-v', 'error', '-y', '-i', speech, '-filter_complex', sound],
      ...['-map', '0:v', '-map', '[sound]', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '160k'],
      ...['-ac', '2', '-movflags', '+faststart', file],
    ],
    signal,
  )
}

type Workshop = {
  spool: Spool
  progress: ProgressDisplay
  screen: Screen
  signal: AbortSignal
  /** The folder of the page. */
  out: string
}

/** Sends the clip, waits until the video is made, and saves it beside the page. */
async function makeVideo(wish: DemoRequest, source: string, shop: Workshop): Promise<Made> {
  const { spool, progress, screen, signal, out } = shop
  const { key, title, about, request } = wish
  progress.show({ label: `${title}: sending the clip` })
  const { videoId } = await spool.videos.upload(source, request, {
    signal,
    onProgress: ({ sentBytes, totalBytes = Infinity }) =>
      progress.show({ label: `${title}: sending the clip`, fraction: sentBytes / totalBytes }),
  })
  const begunAt = Date.now()
  const video = await spool.videos.wait(videoId, {
    signal,
    onProgress: (record) => {
      const step = stepOf(record, Date.now())
      progress.show({ ...step, label: `${title}: ${step.label.toLowerCase()}` })
    },
  })
  const seconds = ((Date.now() - begunAt) / 1000).toFixed(1)
  const file = `${key}.${video.outputFormat ?? 'mp4'}`
  await save(video.finalVideoUrl, path.join(out, file), signal)
  progress.done(`${screen.mark('good')} ${title}: ${seconds} s`)
  return { key, title, about, request, video, file }
}

async function save(url: string | undefined, file: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(url ?? '', { signal })
  if (!answer.ok) throw new StopWithMessage(`${url} answered ${answer.status}.`)
  await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
}

type Arrived = { headers: IncomingHttpHeaders; body: Buffer }

const logo = path.join(root, 'docs/examples/logo.png')

/** What the service reaches on this machine: a picture to lay over a video, and a receiver of webhooks. */
class NearServer {
  readonly #server: Server
  readonly #arrived = Promise.withResolvers<Arrived>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<NearServer> {
    const near = new NearServer(createServer())
    near.#server.on('request', (request, response) => {
      if (request.method === 'POST') {
        void buffer(request).then((body) => {
          near.#arrived.resolve({ headers: request.headers, body })
          response.end()
        })
      } else if (request.url === '/logo.png') {
        void readFile(logo).then((bytes) =>
          response.setHeader('Content-Type', 'image/png').end(bytes),
        )
      } else response.writeHead(404).end()
    })
    near.#server.listen(0, '127.0.0.1')
    await once(near.#server, 'listening')
    return near
  }

  /** The first webhook. */
  get webhook(): Promise<Arrived> {
    return this.#arrived.promise
  }

  url(file: string): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return `http://127.0.0.1:${address.port}/${file}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
