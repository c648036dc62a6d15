import type { Check } from '../../../../worker/contract/job/check.ts'
import { PartRefusal } from '../../../parts/part-refusal.ts'
import type { Window } from '../../../parts/window/window.ts'
import { windowGlobals, windowOf } from '../../../parts/window/window-of.ts'
import { fpsOf } from '../../../timeline/frame-rate.ts'
import type { OpenedPictures, ShownPictures } from '../../outputs/pictures/open-pictures.ts'
import { inScreenColors, standingSince } from '../../outputs/pictures/take-pictures.ts'
import { failed, passed, say, failedAt } from '../check-tables.ts'
import { faultAt } from '../shown/check-shown.ts'
import { meanOff } from '../shown/compare-on-grid.ts'
import { gridFor, type Grid } from '../shown/picture-grid.ts'
import { makeInSmall } from '../shown/make-in-small.ts'
import { placeShown } from './moving-tables.ts'
import { type SeenPictures, lookAtPictures, type PlannedPictures } from './look-at-pictures.ts'
import { unless } from '../../../errors/unless.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import type { ResultFile } from '../../render/finish-output.ts'

/** Pictures of a result, and the window of the film that has them. */
type Instant = {
  readonly at: number
  readonly film: readonly Buffer[]
  readonly window: Window
}

/** Whether pictures show what the graph of the film makes from its sources. */
async function checkPicturesShown(seen: SeenPictures, shown: ShownPictures): Promise<Check> {
  const { opened } = shown
  const grid = shown.kind === 'tiles' ? shown.tile : gridFor(opened.size)
  const compared =
    shown.kind === 'moving' ? movingCompared(seen, shown, grid) : await stillsCompared(seen, shown)
  const whole = shown.kind === 'moving' ? await shown.whole() : opened
  const planned =
    (await plannedIn(whole, grid, compared)) ??
    (shown.kind === 'moving' ? await plannedFromStart(opened, grid) : undefined)
  const name = 'pictures'
  if (!planned) return passed(name, 'What was planned could not be made for a comparison.')
  const places = planned.flatMap((one, i) => {
    const { at, film } = compared[i] ?? {}
    if (at === undefined || !film) return []
    return [{ at, fault: faultAt({ grid, film, planned: one }) }]
  })
  const [first] = places.flatMap(({ at, fault }) => (fault ? [{ at, fault }] : []))
  if (!first) return passed(name, 'They show what was planned.')
  const isAll = places.every(({ fault }) => fault?.isGross)
  const { at, fault } = first
  if (isAll) return failed(name, `${fault.what}.`)
  return failedAt(name, `${fault.what}: at ${say(at)} s.`, at)
}

type ShownStills = Extract<ShownPictures, { kind: 'stills' | 'tiles' }>

/** The windows of the pictures shown at these moments, and of their neighbours. */
async function windowsAround(
  opened: OpenedPictures,
  moments: readonly number[],
): Promise<Window[]> {
  const reach = 1.25 / fpsOf(opened.frameRate)
  const since = await standingSince(opened, moments)
  return moments.map((at, i) => ({ from: (since[i] ?? at) - reach, to: at + reach }))
}

const mostTiles = 4

async function stillsCompared({ pictures }: SeenPictures, shown: ShownStills): Promise<Instant[]> {
  const { opened, moments, kind } = shown
  const windows = await windowsAround(opened, moments)
  const comparedAt = (place: number, film: readonly Buffer[]): Instant[] => {
    const [at, window] = [moments[place], windows[place]]
    return at === undefined || !window ? [] : [{ at, film, window }]
  }
  if (kind === 'stills') return pictures.flatMap((film, i) => comparedAt(i, film))
  const { across, down, tile } = shown
  const perSheet = across * down
  const last = Math.min(moments.length, pictures.length * perSheet) - 1
  const places = Array.from({ length: mostTiles }, (_, i) =>
    Math.round((i * last) / (mostTiles - 1)),
  )
  return [...new Set(places)].flatMap((place) => {
    const [sheet] = pictures[Math.floor(place / perSheet)] ?? []
    const [x, y] = [place % across, Math.floor((place % perSheet) / across)]
    return sheet ? comparedAt(place, [cutOut(sheet, { tile, across, x, y })]) : []
  })
}

type Tile = { readonly tile: Grid; readonly across: number; readonly x: number; readonly y: number }

/** Cuts a single picture out of a sheet, which was read in the same cells as its pictures. */
function cutOut(sheet: Buffer, { tile, across, x, y }: Tile): Buffer {
  const { width, height } = tile
  const row = width * across
  const plane = sheet.length / 3
  const rows = [0, 1, 2].flatMap((i) =>
    Array.from({ length: height }, (_, line) => {
      const from = i * plane + (y * height + line) * row + x * width
      return sheet.subarray(from, from + width)
    }),
  )
  return Buffer.concat(rows)
}

const picturesAt = { beginning: 15, elsewhere: 6 } as const

type Moving = Extract<ShownPictures, { kind: 'moving' }>

/** Compares the beginning, the middle, the end, and the longest stretch without movement. */
function movingCompared({ pictures, delays }: SeenPictures, shown: Moving, grid: Grid): Instant[] {
  const { fps, startTime } = shown
  const [all = []] = pictures
  const count = Math.max(1, Math.round(delays.reduce((sum, delay) => sum + delay, 0) * fps))
  // At the planned rate: a picture that stands for several is counted as often.
  const shownAt = Array.from({ length: count }, (_, i) =>
    delays.length === 0 ? 0 : placeShown(delays, (i + 0.5) / fps),
  )
  const film = shownAt.flatMap((place) => all[place] ?? [])
  const least = Math.min(picturesAt.elsewhere, film.length)
  const still = longestStill(film, grid, leastStill * fps)
  const isWhole = film.length === count
  const begins = [0, ...(isWhole ? [film.length >> 1, film.length - least] : []), ...still]
  return [...new Set(begins)].map((begin) => {
    const end = Math.min(film.length, begin + (begin === 0 ? picturesAt.beginning : least))
    const from = startTime + (begin - 0.25) / fps
    return {
      at: begin / fps,
      film: film.slice(begin, end),
      window: {
        from: begin === 0 && startTime === 0 ? Number.NEGATIVE_INFINITY : from,
        to: startTime + (end + 0.75) / fps,
      },
    }
  })
}

/** A still of this many seconds is noticeable. */
const leastStill = 0.45
const mostSame = 0.4

/** Where the longest stretch begins whose pictures all show the same. */
function longestStill(film: readonly Buffer[], { width, height }: Grid, least: number): number[] {
  let [best, from] = [{ from: 0, length: 0 }, 0]
  film.forEach((one, i) => {
    const before = film[i - 1]
    if (!before || meanOff(one, before, 0, width * height) > mostSame) from = i
    if (i + 1 - from > best.length) best = { from, length: i + 1 - from }
  })
  return best.length >= least ? [best.from + Math.min(2, best.length >> 2)] : []
}

/** The pictures that the graph makes in each window; none if it needs what came before them. */
async function plannedIn(
  { context, video, tables }: OpenedPictures,
  grid: Grid,
  compared: readonly Instant[],
): Promise<Buffer[][] | undefined> {
  const read = await tables()
  const made =
    read &&
    unless(PartRefusal, () =>
      compared.map(({ window }) => ({
        stream: inScreenColors(windowOf(video, window, read), 'rgb24'),
      })),
    )
  return made && (await makeInSmall(context, made, { grid, timing: windowGlobals }))?.pictures
}

async function plannedFromStart({ context, video, timing }: OpenedPictures, grid: Grid) {
  const made = [{ stream: inScreenColors(video, 'rgb24'), count: picturesAt.beginning + 2 }]
  return (await makeInSmall(context, made, { grid, timing }))?.pictures
}

/** Checks the pictures of an output, and compares them with those that its plan makes again. */
export async function checkPictures(
  tools: ToolContext,
  files: readonly ResultFile[],
  { planned, shown }: { readonly planned: PlannedPictures; readonly shown: ShownPictures },
): Promise<Check[]> {
  const seen = await lookAtPictures(tools, files, planned)
  // Missing pictures cannot be compared.
  if (seen.checks.some(({ result }) => result === 'failed')) return [...seen.checks]
  return [...seen.checks, await checkPicturesShown(seen, shown)]
}
