import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import path from 'node:path'
import { rm } from 'node:fs/promises'
import { tooMuchSeen } from '../render/in-budget.ts'
import { aimedBytes } from '../render/aim-at-bytes.ts'
import { mostWritten } from '../../render/output/encoding.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import { bytesUpTo, goodShare } from '../../render/output/byte-budget.ts'
import type { Pass } from '../../render/output/passes.ts'
import { type JobContext, partOf, progressOf, scratchOf } from '../job-context.ts'
import { planWith, type Planned, capsOf } from '../plan/plan-job.ts'
import { bytesOfPictures, pictureBytesOf, seenBytes } from '../render/encode-film.ts'
import type { FirstEncode } from '../render/render-freely.ts'
import { measureRendered, refuseTruncated, secondsDone } from '../render/run-plan.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compileTogether, type RenderPlan } from '../../render/plan-render.ts'
import { roomLeft } from '../disk-room.ts'

/** A film among the outputs, by its place. */
export type FilmOutput = { readonly place: number; readonly planned: Planned }

/** Encoders keep several pictures each, so this limits how many work side by side: four for 1080p. */
const mostPixels = 8_400_000
const mostFilms = 6

/**
 * The films that one run of ffmpeg makes: those whose pictures are all encoded and whose size is not limited. What they have in
 * common is decoded, cut and cleaned once.
 */
export function groupsOf(films: readonly FilmOutput[]): FilmOutput[][] {
  const groups: FilmOutput[][] = []
  for (const film of films.filter(canJoin)) {
    const group = groups.at(-1)
    const fits = group && group.length < mostFilms && pixelsOf([...group, film]) <= mostPixels
    if (fits) group.push(film)
    else groups.push([film])
  }
  return groups.filter(({ length }) => length > 1)
}

function canJoin({ planned }: FilmOutput): boolean {
  const { maxBytes, maxBitrate } = planned.context.job.options
  // An excerpt is read from another place of its files.
  const isWhole = planned.plan.excerpt === undefined
  return isWhole && planned.plan.video === 'encode' && (maxBytes ?? maxBitrate) === undefined
}

function pixelsOf(films: readonly FilmOutput[]): number {
  return films.reduce((sum, { planned: { plan } }) => sum + plan.width * plan.height, 0)
}

/** Between which shares the progress of a group moves in each run; a second encode is seldom needed. */
const runShares = { look: [0, 0.3], first: [0.3, 0.97], second: [0.97, 1] } as const
/** The beginning of a film roughly tells whether it becomes too large. */
const lookedAtSeconds = 5
const mostLookedAtSeconds = 10
/** From this quality on, most films become larger than their sources, so a first look at all pictures is rarely wasted. */
const largeQuality = 90

type SharedFilm = FilmOutput & {
  /** The bytes that its pictures may take up to a moment; undefined if they cannot be shared out. */
  readonly allowed: ((seconds?: number) => number) | undefined
}

/**
 * Encodes several films in a few runs over the same pictures. A quick look shows which of them would exceed their sources:
 * those share out the bytes that they may have, by the notes of a run over all of their pictures.
 */
export async function encodeTogether(
  context: JobContext,
  group: readonly FilmOutput[],
): Promise<ReadonlyMap<number, FirstEncode>> {
  const films = await withAllowed(context.tools, group)
  const seconds = Math.max(...films.map(({ planned }) => planned.plan.durationSeconds))
  const qualities = films.map(({ planned }) => planned.context.job.options.compressionQuality)
  const seesAll = seconds <= mostLookedAtSeconds || Math.min(...qualities) >= largeQuality
  const large = await tooLarge(context, films, seesAll ? seconds : lookedAtSeconds)
  const first = films.map((film): FilmRun => {
    if (!large.has(film.place)) return runOf(film, 'whole')
    return runOf(film, seesAll ? 'second' : 'look')
  })
  const made = new Map<number, FirstEncode>()
  const again: FilmRun[] = []
  const results = await runTogether(
    partOf(context, runShares.first),
    'first',
    first,
    measureRendered,
  )
  for (const film of films) {
    const result = results.get(film.place)
    if (!result) continue
    const isLarge = large.has(film.place)
    const isShared = isLarge && seesAll
    const isBound = film.allowed && !isShared
    const bytes = isBound ? await pictureBytesOf(context.tools, result) : 0
    if (exceeds(film, bytes, result.facts.video.endSeconds)) again.push(runOf(film, 'second'))
    if (!isLarge || seesAll) made.set(film.place, { result, isShared, notes: notesOf(film) })
    else await drop(context.tools, result.name)
  }
  const shared = await runTogether(
    partOf(context, runShares.second),
    'second',
    again,
    measureRendered,
  )
  for (const [place, result] of shared) {
    const before = made.get(place)
    if (before) await drop(context.tools, before.result.name)
    made.set(place, { result, isShared: true, notes: notesOf({ place }) })
  }
  return made
}

/** Removes a file that was only a trial, to make room for the results. */
async function drop(tools: ToolContext, name: string): Promise<void> {
  await rm(path.join(tools.folder, name))
}

async function withAllowed(
  tools: ToolContext,
  films: readonly FilmOutput[],
): Promise<SharedFilm[]> {
  const [first] = films
  // All films have the same sources.
  const seen = first ? await seenBytes(tools, first.planned.clips) : []
  return films.map((film) => {
    const { budget, codec } = film.planned.plan
    const isBound = budget && canShareOut(codec)
    return { ...film, allowed: isBound ? (seconds) => bytesUpTo(budget, seen, seconds) : undefined }
  })
}

function notesOf({ place }: { readonly place: number }): string {
  return `notes${place}`
}

function runOf(film: SharedFilm, kind: Pass['kind']): FilmRun {
  const { place, planned, allowed } = film
  if (!canShareOut(planned.plan.codec)) return { place, plan: planned.plan }
  const pass = { kind, notes: notesOf(film) }
  const bytes = kind === 'second' && allowed ? { pictureBytes: aimedBytes(allowed()) } : {}
  return { place, plan: planWith(planned, { pass, ...bytes }) }
}

/** Tries the beginning of the films, or all of them: which exceed their limit. */
async function tooLarge(
  context: JobContext,
  films: readonly SharedFilm[],
  seconds: number,
): Promise<ReadonlySet<number>> {
  const judged = films.filter(({ allowed }) => allowed)
  const looks = judged.map((film): FilmRun => {
    const { place, plan } = runOf(film, 'look')
    return { place, plan: { ...plan, durationSeconds: Math.min(seconds, plan.durationSeconds) } }
  })
  const seen = await runTogether(partOf(context, runShares.look), 'look', looks, bytesSeen)
  const large = new Set<number>()
  for (const film of judged) {
    const bytes = seen.get(film.place)
    const looked = Math.min(mostWritten(seconds), film.planned.plan.durationSeconds)
    if (bytes !== undefined && exceeds(film, bytes, looked, tooMuchSeen)) large.add(film.place)
  }
  return large
}

/** The bytes of a film that was only a trial, which is then removed. */
async function bytesSeen({ tools }: JobContext, plan: RenderPlan, name: string): Promise<number> {
  const bytes = await bytesOfPictures(tools, name, plan)
  await drop(tools, name)
  return bytes
}

/** Whether pictures take more bytes than their length permits. */
function exceeds(
  { allowed }: SharedFilm,
  bytes: number,
  seconds: number,
  most: number = goodShare.most,
): boolean {
  return allowed !== undefined && bytes > allowed(seconds) * most
}

/** One film of a run, by its place among the films. */
type FilmRun = { readonly place: number; readonly plan: RenderPlan }
/** Reads what is needed from a film once it is written. */
type ReadFilm<Read> = (context: JobContext, plan: RenderPlan, name: string) => Promise<Read>

/**
 * Runs several plans at once, over the same pictures; none if that fails, because only separate runs show which of them cannot
 * be made.
 */
async function runTogether<Read>(
  context: JobContext,
  stem: string,
  films: readonly FilmRun[],
  read: ReadFilm<Read>,
): Promise<ReadonlyMap<number, Read>> {
  const named = films.map((film) => ({ ...film, path: `${stem}${film.place}.${film.plan.format}` }))
  try {
    return await runNamed(context, named, read)
  } catch (error) {
    context.tools.signal.throwIfAborted()
    if (!(error instanceof JobError) || error.reason === 'out_of_time') throw error
    context.log('warn', 'Films could not be encoded together', { fault: stackOf(error) })
    for (const { path: name } of named) {
      await rm(path.join(context.tools.folder, name), { force: true })
    }
    return new Map()
  }
}

async function runNamed<Read>(
  context: JobContext,
  films: readonly (FilmRun & { readonly path: string })[],
  read: ReadFilm<Read>,
): Promise<ReadonlyMap<number, Read>> {
  const made = new Map<number, Read>()
  const { settings, tools } = context
  const [first] = films
  if (!first) return made
  const { plan: told } = first
  // All of them are written at the same time.
  const roomBytes = Math.floor((await roomLeft(scratchOf(context))) / films.length)
  const onProgress = progressOf(context, 'rendering')
  await runFfmpeg(tools, compileTogether(films, capsOf(settings, roomBytes)), (progress) => {
    onProgress(secondsDone(progress, told) / Math.max(told.durationSeconds, 0.001))
  })
  for (const { place, plan, path: name } of films) {
    await refuseTruncated(context, roomBytes, [name])
    made.set(place, await read(context, plan, name))
  }
  return made
}
