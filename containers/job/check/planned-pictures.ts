import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { stackOf } from '../../errors/log.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compileArgs } from '../../graph/compile-args.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { PartRefusal } from '../../parts/part-refusal.ts'
import type { FileTables, Window } from '../../parts/window/window.ts'
import { windowGlobals, windowOf } from '../../parts/window/window-of.ts'
import type { JobContext } from '../job-context.ts'
import { planWith } from '../plan/plan-job.ts'
import { tablesOf } from '../plan/read-from-excerpt.ts'
import type { Looked } from './check-tables.ts'
import type { Look } from './look-at-film.ts'
import { gridFor, picturesOn, type Grid } from './picture-grid.ts'

/** Some pictures of the film that follow each other, and those that the plan makes of its sources for the same time. */
export type Beside = {
  readonly at: number
  readonly seconds: number
  readonly grid: Grid
  readonly film: readonly Buffer[]
  readonly planned: readonly Buffer[]
}

/** The places of pictures of the film that follow each other. */
export type Place = { readonly first: number; readonly count: number }

/** The graph of a film in which nothing is copied, from its very beginning. */
export type Graph = { readonly stream: Stream<'video'>; readonly tables: FileTables }

const behindKey = 0.0005
const mostPictures = 60
/** More than a fade of half a second has at some rates, and few enough to cost little. */
const mostCompared = 10
/**
 * What is made once more begins behind the first picture of a place: where that is a key picture of the source, nothing before it is
 * decoded then.
 */
const begunPictures = 1.25
/** How many pictures of the film are not compared, because those before them were not made. A copy may be off by two. */
const skippedPictures = { copy: 4, encode: 2 } as const
/** Times may be rounded, and a copy begins with a picture or two of its own. */
const reachPictures = { copy: 2.5, encode: 0.6 } as const

/** Reads the places of the film in small, beside what else is read of it. */
export function looksAtPlaces(looked: Looked, places: readonly Place[]): Look[] {
  const { film, tables } = looked
  const { facts, name } = film
  const { at, keys, endSeconds } = tables.picture
  const grid = gridFor(film.plan)
  return places.map(({ first, count }) => {
    const begin = at[first] ?? 0
    const early = ((at[first + 1] ?? endSeconds) - begin) / 4
    // A program that is asked for a moment before a key picture decodes everything since the one before that.
    const isKey = keys[first] === 1 && begin > 0
    const from = isKey ? begin + behindKey : Math.max(0, begin - early)
    const seconds = endOf(looked, first + count) - from
    const input = { name, demuxer: demuxers[facts.format], from, seconds, isAtKey: isKey }
    return { kind: 'pictures', input, index: facts.video.index, count, grid }
  })
}

function endOf({ tables: { picture } }: Looked, place: number): number {
  return picture.at[place] ?? picture.endSeconds + 1
}

/**
 * Makes the pictures of a few places once more out of the sources, in small and without an encoder. Nothing where the graph needs
 * what came before them.
 */
export async function besideThePlan(
  looked: Looked,
  graph: Graph | undefined,
  places: readonly Place[],
  seen: readonly (Buffer | undefined)[],
): Promise<Beside[]> {
  if (!graph) return []
  const { film, tables } = looked
  const grid = gridFor(film.plan)
  const begun = film.plan.excerpt?.start ?? 0
  const step = 1 / Math.max(1, film.plan.averageFps)
  const [reach, skipped] = [reachPictures, skippedPictures].map((one) => one[film.plan.video])
  const all: Beside[] = []
  for (const [i, { first, count }] of places.entries()) {
    const at = tables.picture.at[first] ?? 0
    const compared = Math.min(count, mostCompared)
    const last = tables.picture.at[first + compared - 1] ?? at
    const isBegin = begun + at < step
    const from = isBegin ? Number.NEGATIVE_INFINITY : begun + at + begunPictures * step
    const window = { from, to: begun + last + (reach ?? 0) * step }
    const planned = await picturesIn(looked, graph, window)
    if (!planned) return []
    all.push({
      at,
      seconds: endOf(looked, first + count) - at,
      grid,
      film: picturesOn(grid, seen[i]).slice(isBegin ? 0 : skipped, compared),
      planned,
    })
  }
  return all
}

/** A graph that was made for a part of the film has no windows. */
const ofExcerpt = new Set(['startTime', 'duration'])

export async function graphOf({ planned, film }: Looked): Promise<Graph | undefined> {
  const { context, clips } = planned
  const isOtherwise = clips.some(
    ({ facts: { video } }) => video.transfer !== 'sdr' || video.hasAlpha,
  )
  // What a copy keeps of HDR and of transparency, the graph would not.
  if (film.plan.video === 'copy' && isOtherwise) return undefined
  const { job } = context
  const options = Object.fromEntries(
    Object.entries(job.options).filter(([name]) => !ofExcerpt.has(name)),
  ) as typeof job.options
  const whole = {
    ...planned,
    readPart: undefined,
    context: { ...context, job: { ...job, options } },
  }
  const isWhole = film.plan.video === 'encode' && !film.plan.excerpt
  const again = () => planWith(whole, { copying: { forbidden: 'it is made once more' } })
  const track = (isWhole ? pictureOf(film.plan) : undefined) ?? pictureOf(again())
  if (!track) return undefined
  const stream = track.stream as Stream<'video'>
  const tables = await tablesOf(context.tools, planned.fetched, stream)
  return tables && { stream, tables }
}

function pictureOf({ tracks }: Looked['film']['plan']) {
  return tracks.find(({ stream }) => stream.kind === 'video')
}

async function picturesIn(
  { planned: { context }, film }: Looked,
  { stream, tables }: Graph,
  window: Window,
): Promise<Buffer[] | undefined> {
  try {
    const shown = windowOf(stream, window, tables)
    return await makeSmall(context, shown, { grid: gridFor(film.plan), timing: windowGlobals })
  } catch (error) {
    if (error instanceof PartRefusal) return undefined
    throw error
  }
}

type Small = {
  readonly grid: Grid
  readonly timing: readonly string[] | undefined
  readonly count?: number
}

/** Makes the first pictures of a graph in small; nothing if it cannot be run. */
export async function makeSmall(
  { tools, log }: JobContext,
  stream: Stream<'video'>,
  { grid, timing, count = mostPictures }: Small,
): Promise<Buffer[] | undefined> {
  const name = 'planned.raw'
  const file = path.join(tools.folder, name)
  const small = pipeAll(stream, [
    ['scale', { w: grid.width, h: grid.height, flags: 'area' }],
    ['format', { pix_fmts: 'yuv444p' }],
  ])
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough', '-frames:v', String(count)]
  const command = compileArgs({
    ...{ tracks: [{ stream: small, coding }], muxing: ['-f', 'rawvideo'], path: name },
    ...{ ...(timing && { timing }), threads: 1, maxPixels: tools.maxPixels },
  })
  try {
    await runFfmpeg(tools, command, () => undefined)
    const all = picturesOn(grid, await readFile(file))
    return all.length === 0 ? undefined : all
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Pictures were not made once more', { fault: stackOf(error) })
    return undefined
  } finally {
    await rm(file, { force: true })
  }
}
