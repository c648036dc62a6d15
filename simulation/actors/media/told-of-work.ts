import { createHash } from 'node:crypto'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { TimeLeftRange } from '../../../worker/contract/job/paces.ts'
import type { World } from '../../engine/world.ts'

/** Who speaks in each film. */
export const speakers = ['Speaker 1', 'Speaker 2'] as const

/** What is said in a video, which must not stay anywhere when it is deleted. */
function transcriptOf({ jobId }: MediaJob) {
  const told = speakers.map((name, i) => ({ name, seconds: 5 - i }))
  const words = { text: `words of ${jobId}`, language: 'en', confidence: 0.9 }
  return { status: 'completed', ...words, speakers: told }
}

/** A file with this text, as what reads it expects it. In a transcript everybody says it. */
export function fileWith(text: string, kind: string, job: MediaJob): string {
  const cue = '00:00:01.000 --> 00:00:02.000'
  if (kind === 'transcript-vtt')
    return ['WEBVTT', ...speakers.map((name) => `${cue}\n<v ${name}>${text}`)].join('\n\n')
  if (kind !== 'transcript-json') return text
  const segments = speakers.map((speaker, i) => ({ startTime: i, endTime: i + 1, speaker, text }))
  return JSON.stringify({ ...transcriptOf(job), segments })
}

/** The transcript that ends the work on it. */
export function heardIn(job: MediaJob) {
  return isNamed(job, unheardFilm)
    ? { status: 'failed', message: 'Nobody could be understood.' }
    : transcriptOf(job)
}

/** What is seen in it. */
export function analysisOf({ jobId }: MediaJob) {
  const data = { tags: ['simulated'], summary: `words of ${jobId}`, estimatedLocation: 'unknown' }
  return { status: 'completed', data }
}

/** What a media worker tells of its progress. */
export type TimeLeft = {
  percent: number
  left: TimeLeftRange | undefined
} & Record<string, unknown>

/** Nobody foresees how long simulated work takes. */
export const unheard = {
  hear: () => undefined,
  hearBeside: () => undefined,
  expect: () => undefined,
}

/** The beginnings of the names of films that take a minute at least, and longer than a job may take in some worlds. */
export const longFilm = 'long-film'
export const endlessFilm = 'endless-film'
export const endlessMs = 900_000

/** An endless one whose first attempt fails when most of the time of its job is over. */
export const stumblingFilm = `${endlessFilm}-stumbles`
const stumblesAfterMs = 240_000

/** Those of films in which nobody is understood, and of which the still is stored in another size than is told. */
export const unheardFilm = 'unheard-film'
export const unseenFilm = 'unseen-film'

export function isNamed({ inputs }: MediaJob, name: string): boolean {
  return inputs.some(({ url }) => url.includes(name))
}

export function stumbles(job: MediaJob): boolean {
  return job.attempt === 1 && isNamed(job, stumblingFilm)
}

/** How long it takes at least to make a film. */
export function leastMs(job: MediaJob): number {
  if (stumbles(job)) return stumblesAfterMs
  if (isNamed(job, endlessFilm)) return endlessMs
  return isNamed(job, longFilm) ? 60_000 : 1_000
}

/** How it tells the time that is left. */
export function leftIn(ms: number): TimeLeftRange {
  const seconds = ms / 1_000
  return { seconds, least: seconds / 2, most: 2 * seconds }
}

/** A command as a trace tells of it. */
export const ran = (program: string, durationMs: number) => ({
  ...{ program, args: ['-i', 'in0'], durationMs, exitCode: 0 },
})

/** How often a media worker tells all that it may tell of a result, and of its cuts. */
const toldInFull = 0.3

export function moreOf(world: World, { jobId }: MediaJob) {
  if (world.draw(`tells all of ${jobId}`) >= toldInFull) return { told: {}, plan: undefined }
  const [startTime, endTime] = [1, 2]
  const found = { clips: [{ startTime, endTime, title: 'One', score: 0.5, reasons: ['short'] }] }
  const scene = { startTime, endTime, mode: 'crop', x: 50, faces: 1 }
  const place = { startTime, endTime, phrase: 0 }
  return {
    told: {
      warnings: ['The film is simulated.'],
      checks: [{ name: 'black', result: 'warned', message: 'Some of it is dark.' }],
      suggestions: [{ startTime, endTime, why: 'silence' }],
      moments: { ...found, chapters: [{ startTime: 0, title: 'All' }] },
      covered: { words: 1, places: [place], faces: { tracks: 1, seconds: 1, uncertainSeconds: 0 } },
      reframed: { scenes: [scene], count: 1 },
    },
    plan: { cuts: { segmentsSeconds: 1, textSeconds: 2, fillersSeconds: 4, silenceSeconds: 8 } },
  }
}

/** It tells that a check of the result has failed, and has a picture of where. */
export const failedCheck = {
  type: 'failed',
  reason: 'check_failed',
  retryable: false,
  message: 'The file has no sound.',
  checks: [{ name: 'silence', result: 'failed', message: 'Nothing is heard.', still: 'check-1' }],
}

/** Films that several customers make something of, wherever each has got it. */
const popularFilms = 2

/** The signature of an address does not count. On a busy day each address has a film of its own; otherwise a few films recur. */
export function sha256Of(world: World, url: string, isBusy: boolean): string {
  const { pathname, protocol } = new URL(url)
  if (protocol === 'storage:') world.break(`a media worker is to fetch ${url}`)
  const isPopular = !isBusy && world.draw(`popularity of ${pathname}`) < 0.3
  const film = Math.floor(popularFilms * world.draw(`film of ${pathname}`))
  return createHash('sha256')
    .update(isPopular ? `film ${film}` : pathname)
    .digest('hex')
}

/** What it foresees of a job that it is only asked about. */
export function foreseenOf(world: World, job: MediaJob, engine: string) {
  const [duration, sizeInBytes, seconds] = [10, 1_000, leastMs(job) / 1_000].map((likely) => ({
    ...{ likely, least: likely / 2, most: 2 * likely },
  }))
  const picture = { format: 'mp4', picture: 'encoded', whyEncoded: null, sound: 'encoded' }
  const files = job.inputs.map(({ field, url }) => ({ field, sha256: sha256Of(world, url, false) }))
  return {
    ...{ sources: [], results: [{ ...picture, duration, sizeInBytes }], warnings: [], unknown: [] },
    ...{ refusal: null, seconds, cpuSeconds: seconds, made: { engine, files } },
  }
}
