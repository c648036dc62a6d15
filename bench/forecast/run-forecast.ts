import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root } from '../../scripts/machine/checkout.ts'
import { ClipServer } from '../../test/support/node/clip-server.ts'
import type { RunningService } from '../../test/support/node/service.ts'
import { jobRecord } from '../../worker/contract/job/job-record.ts'
import { videoAccepted, type VideoRecord } from '../../worker/contract/video/video-record.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { read, startService } from '../service/whole-service.ts'

const limits = { medianError: 0.25, inRange: 0.85, stillSeconds: 30 }
/** The part of a job after which its forecast is judged. */
const judgedFrom = 0.2
const lookMs = 150

/** Footage as people send it, and what they ask for. */
const films = {
  camera: ['testsrc2=size=1280x720:rate=25', 'noise=alls=14:allf=t', 8],
  small: ['mandelbrot=size=640x360:rate=30', 'noise=alls=6:allf=t', 16],
  screen: ['color=c=0xf4f0e6:size=1280x720:rate=25', 'drawgrid=w=80:h=80:t=2:c=gray', 30],
} as const
type Film = keyof typeof films
/** A film, or several that are joined. */
export type Wish = readonly [film: Film | readonly Film[], request: object]

const two = [
  { name: 'feed', aspectRatio: '4:5' },
  { name: 'wide', width: 640 },
]

export const wishes: readonly Wish[] = [
  ['camera', { aspectRatio: '9:16' }],
  ['small', { compressionQuality: 60 }],
  ['screen', { aspectRatio: '1:1', captions: {} }],
  ['small', { enableTranscription: true }],
  ['camera', { outputFormat: 'webm' }],
  ['small', { removeSilence: true }],
  ['screen', { removeNoise: true, normalizeAudio: true }],
  ['camera', { rotate: 90, enableThumbnail: true }],
  ['small', { aspectRatio: '9:16', removeSilence: true }],
  ['screen', { analyzeOnly: true }],
  ['camera', { outputs: two }],
  ['camera', { compressionQuality: 40, aspectRatio: '4:5' }],
  ['small', { outputFormat: 'avi' }],
  ['screen', { removeSilence: true, captions: {} }],
  [['small', 'screen'], { aspectRatio: '1:1' }],
  ['small', { outputs: [{ name: 'moves', outputFormat: 'gif', width: 240, duration: 4 }] }],
  ['camera', { enableAiAnalysis: true, aspectRatio: '1:1' }],
  ['screen', { speed: 1.5 }],
  ['camera', { stabilize: true }],
  ['small', { crop: { x: '10%', y: '10%', width: '80%', height: '60%' } }],
  ['screen', { outputs: [{ name: 'sound', outputFormat: 'mp3' }] }],
  ['small', { outputFormat: 'webm', compressionQuality: 50 }],
]

export function bodyOf([film, request]: Wish, addresses: ReadonlyMap<string, string>): object {
  if (typeof film === 'string') return { fileUrl: addresses.get(film), ...request }
  return { combine: true, files: film.map((name) => ({ url: addresses.get(name) })), ...request }
}

export const forecast = benchmark({
  summary: 'the time that is left of a job, as its record tells it, against what came',
  takes: 'five minutes',
  about: `Starts the service as npm start does, without a past, and has it make videos of all kinds one after the other. Each
record is read several times a second until its end.`,
  numbers: {
    rounds: { fallback: 2, min: 1, max: 10, means: 'how often each kind of video is made' },
  },
  async measure({ rounds }, run) {
    const addresses = await serveFilms(run)
    const service = await startService(run)
    const told: Told[] = []
    for (let round = 1; round <= rounds; round++) {
      const ofRound: Told[] = []
      for (const wish of wishes) {
        const one = await makeOne(service, bodyOf(wish, addresses), run)
        ofRound.push(one)
        say(`  ${lineOf(wish, one)}`)
      }
      say(`round ${round}: median error ${percent(median(ofRound.map(({ error }) => error)))}`)
      told.push(...ofRound)
    }
    judge(told, run)
  },
})

/** `error`: of the time that was left after a fifth of the job, as a share of it. */
type Told = { seconds: number; error: number; isInRange: boolean; stillSeconds: number }

function judge(told: readonly Told[], { judge: judgeOne }: Run): void {
  const errors = told.map(({ error }) => error)
  const inRange = told.filter(({ isInRange }) => isInRange).length / told.length
  say(`nine of ten below ${percent(quantile(errors, 0.9))}`)
  const error = median(errors)
  const { medianError, inRange: least } = limits
  const figure = `median error after a fifth of ${told.length} jobs: ${percent(error)}`
  judgeOne(figure, `at most ${percent(medianError)}`, error <= medianError)
  const share = `within the range that was told: ${percent(inRange)}`
  judgeOne(share, `at least ${percent(least)}`, inRange >= least)
  const still = Math.max(...told.map(({ stillSeconds }) => stillSeconds))
  const stood = `longest time in which no bar moved: ${still.toFixed(1)} s`
  judgeOne(stood, `below ${limits.stillSeconds} s`, still < limits.stillSeconds)
}

type Seen = Pick<VideoRecord, 'secondsLeft' | 'secondsLeftRange' | 'progressPercent'> & {
  at: number
}

async function makeOne(service: RunningService, request: object, { stop }: Run): Promise<Told> {
  const created = await service.request('/v1/videos', { json: { ...request, reuse: false } })
  const { videoId, jobId } = videoAccepted.parse(await created.json())
  const seen: Seen[] = []
  for (;;) {
    const record = (await read(service, `/v1/videos/${videoId}`)) as VideoRecord
    if (record.status === 'running') seen.push({ ...record, at: Date.now() })
    if (record.status === 'failed') throw new Error(`${videoId}: ${record.errorMessage ?? ''}`)
    if (record.status === 'succeeded') break
    await delay(lookMs, undefined, { signal: stop })
  }
  const { startedAt, finishedAt } = jobRecord.parse(await read(service, `/v1/jobs/${jobId}`))
  const [begin, end] = [Date.parse(startedAt ?? ''), Date.parse(finishedAt ?? '')]
  const judged = seen.find(({ at }) => at >= begin + (end - begin) * judgedFrom)
  const real = Math.max(0.001, (end - (judged?.at ?? end)) / 1000)
  // A record without a forecast is as wrong as one that says that nothing is left.
  const { secondsLeft = 0, secondsLeftRange } = judged ?? {}
  const { least, most } = secondsLeftRange ?? { least: secondsLeft * 0.8, most: secondsLeft * 1.2 }
  return {
    seconds: (end - begin) / 1000,
    error: Math.abs(secondsLeft - real) / real,
    isInRange: least <= real && real <= most,
    stillSeconds: longestStill(seen, end),
  }
}

function longestStill(seen: readonly Seen[], end: number): number {
  let [longest, since] = [0, seen[0]]
  for (const one of seen) {
    if (one.progressPercent !== since?.progressPercent) since = one
    longest = Math.max(longest, one.at - since.at)
  }
  return Math.max(longest, end - (since?.at ?? end)) / 1000
}

function lineOf([film, request]: Wish, { seconds, error, stillSeconds }: Told): string {
  const asked = `${String(film)} ${JSON.stringify(request)}`
  return `${asked.padEnd(64)} ${seconds.toFixed(1).padStart(6)} s  error ${percent(error).padStart(5)}  still ${stillSeconds.toFixed(1)} s`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** The films with the speech of the examples, served to the media worker. */
export async function serveFilms({
  folder,
  stop,
  atEnd,
}: Run): Promise<ReadonlyMap<string, string>> {
  const server = await ClipServer.start()
  atEnd(async () => server.close())
  const addresses = new Map<string, string>()
  const speech = path.join(root, 'docs/examples/speech.mp4')
  for (const [name, [picture, filter, seconds]] of Object.entries(films)) {
    const sources = ['-f', 'lavfi', '-i', picture, '-stream_loop', '-1', '-i', speech]
    const coding = ['-vf', `${filter},format=yuv420p`, '-c:v', 'libx264', '-preset', 'veryfast']
    const made = [...sources, ...coding, '-map', '0:v', '-map', '1:a', '-t', String(seconds)]
    const file = path.join(folder, `${name}.mp4`)
    await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...made, file], { signal: stop })
    addresses.set(name, server.serve(`${name}.mp4`, file))
  }
  return addresses
}
