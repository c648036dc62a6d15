import type { Check } from '../../../../worker/contract/job/check.ts'
import { inMatrix } from '../../../render/color/limited-yuv.ts'
import type { ColorMatrix, VideoFacts } from '../../../timeline/media-facts.ts'
import { failed, failedAt, type Looked } from '../check-tables.ts'
import { lookAtAll, type BytesOf } from '../look-at-film.ts'
import { turnedIn, type Flaw } from '../shown/check-shown.ts'
import { correlate, matchOf, type Match } from '../shown/compare-on-grid.ts'
import type { Grid } from '../shown/picture-grid.ts'
import { isDisplaced, isInPlace, type Readings } from './displacement.ts'
import type { Geometry } from './frame-geometry.ts'
import { changeOfShapes, hasLostDetail } from './detail.ts'
import { hasMoreGrain, type Bright } from './grain.ts'
import type { Pair, Unread } from './pairs.ts'
import { cellsIn, readerOf, type Reading, type Unfiltered } from './read-unfiltered.ts'

const cells = 48
const grid: Grid = { width: cells, height: cells }

/** Finds faults of a film that come from the filters of ffmpeg. */
export async function checkUnfiltered(
  looked: Looked,
  pairs: readonly Pair[],
  bytesOf: BytesOf,
): Promise<Check | undefined> {
  const found = faultsIn(looked, pairs, bytesOf)
  if (!found?.explainedBy) return found?.told
  const isExplained = await someAround(looked, found.pair, bytesOf, found.explainedBy)
  return isExplained ? undefined : found.told
}

/** Pictures of the film before and behind the one that is compared; more of a source whose pictures come irregularly. */
const around = { steady: 2, uneven: 8 } as const
/** Limits how many are in memory at once. */
const mostAround = 16

/**
 * Whether a condition holds for a picture that the source shows a little earlier or later. The film may not show exactly that
 * moment; at a lower rate or a higher speed it is farther off, and lies elsewhere while a camera turns.
 */
async function someAround(
  { planned, film: { facts } }: Looked,
  pair: Pair,
  bytesOf: BytesOf,
  holds: Explains,
): Promise<boolean> {
  const { averageFps, hasConstantRate } = pair.of
  const { input } = pair.source
  const step = 1 / Math.max(1, averageFps)
  const { speed = 1 } = planned.timeline
  const usual = hasConstantRate ? around.steady : around.uneven
  const inSource = Math.ceil((usual * averageFps * speed) / Math.max(1, facts.video.averageFps))
  const beside = Math.min(Math.max(usual, inSource), mostAround)
  const from = Math.max(0, (input.from ?? 0) - beside * step)
  const count = 2 * beside + 1
  const seconds = count * step
  const look = { ...pair.source, count, input: { ...input, isAtKey: false, from, seconds } }
  const { seen } = await lookAtAll(planned.context.tools, [look], 'around')
  const size = bytesOf(pair.source)?.length ?? 0
  const pictures = Array.from({ length: count }, (_, i) =>
    seen[0]?.subarray(i * size, (i + 1) * size),
  ).filter((one) => size > 0 && one?.length === size)
  const film = readingOf({ ...facts.video, bytes: lastOf(pair.film, bytesOf) })
  return pictures.some((bytes) => {
    const source = readingOf({ ...pair.of, bytes })
    return film && source && bytes && holds({ film, source }, bytes)
  })
}

/** Whether a picture of the film looks like one of its source: in its place, and in its colours. */
function isFaultless(both: Readings, { pair, known }: KnownPair, video: VideoFacts): boolean {
  const match = matchOfBoth(both, pair, video)
  return match !== undefined && !faultIn(match, known)
}

/** How alike a picture of the film and one of its source are, if the film is shifted by this many pixels. */
function matchOfBoth(
  { film, source }: Readings,
  { geometry: { shown, placeIn }, of }: Pair,
  { width, height, colorMatrix }: VideoFacts,
  [right, down]: Nudge = [0, 0],
): Match | undefined {
  const ofSource = writtenAs(colorMatrix, cellsIn(source, grid, placeIn), of.colorMatrix)
  const ofFilm = cellsIn(film, grid, (x, y) => [
    shown.x + x * shown.width + right / width,
    shown.y + y * shown.height + down / height,
  ])
  return matchOf(grid, ofFilm, [ofSource])
}

/** A pair, and in what its pictures may differ because the request asks for it. */
type KnownPair = { readonly pair: Pair; readonly known: AskedPicture }

/** Whether a picture that the source shows a little earlier or later is the one of the film. */
type Explains = (both: Readings, source: Buffer) => boolean

/** What is said of a pair. Without `explainedBy`, no picture around it would look so. */
type PairFinding = {
  readonly told: Check
  readonly pair: Pair
  readonly explainedBy?: Explains | undefined
}

/** The fault of a pair, and otherwise what is less certain. */
type FoundInPair = KnownPair & {
  readonly fault?: FoundFault | undefined
  readonly shapes?: PairFinding | undefined
  readonly displaced?: PairFinding | undefined
}

function faultsIn(
  { planned, film: { facts } }: Looked,
  pairs: readonly Pair[],
  bytesOf: BytesOf,
): PairFinding | undefined {
  const { color, elements = [], fadeIn, fadeOut, stabilize } = planned.context.job.options
  const isPlain = (color ?? fadeIn ?? fadeOut) === undefined
  const isStandard = planned.clips.every(({ facts: own }) => own.video.transfer === 'sdr')
  const isAlone = elements.every(({ type }) => type === 'audio')
  const hasOwnColors = isPlain && isStandard && isAlone
  const { compressionQuality, maxBitrate, maxBytes, blurFaces } = planned.context.job.options
  const hasBits = compressionQuality >= leastFine && (maxBitrate ?? maxBytes) === undefined
  const isFine = hasBits && facts.video.codec === 'h264' && !blurFaces && !stabilize
  const found = pairs.flatMap((pair): FoundInPair[] => {
    const { of, isSame } = pair
    const both = bothOf(facts.video, pair, bytesOf)
    if (!both) return []
    const known = { hasOwnColors, isMoving: stabilize || !isSame }
    const match = matchOfBoth(both, pair, facts.video)
    if (!match || match.contrast < leastContrast) return []
    if (!faultIn(match, known)) {
      const isWritten = isStandard && of.colorMatrix === facts.video.colorMatrix
      const isStill = isAlone && isWritten && of.hasConstantRate && !known.isMoving
      // At another rate, the picture of a film may be one that its source shows a little earlier or later.
      const isAlike = isWritten && match.likeness > certain.likeness
      const mayBeDull = isFine && isAlike && hasOwnColors && isSame && of.hasConstantRate
      const isOfUsualQuality = compressionQuality >= usualQuality
      const shapes = mayBeDull ? shapesIn(both, pair, facts.video, isOfUsualQuality) : undefined
      return [
        {
          pair,
          known,
          shapes,
          displaced: isStill ? displacedIn(both, pair, facts.video) : undefined,
        },
      ]
    }
    const [best = match] = nudges
      .flatMap((nudge) => matchOfBoth(both, pair, facts.video, nudge) ?? [])
      .toSorted((a, b) => b.likeness - a.likeness)
    return [{ pair, known, fault: faultIn(best, known) }]
  })
  const fine = { hasOwnColors, isFine }
  const unlike = pairs.flatMap((pair) => unlikeInDetail(facts.video, pair, fine, bytesOf) ?? [])[0]
  const [first] = found
  // A little earlier, the source may have shown something else.
  const isSure = first?.pair.isSame === true || found.length > 1
  const isAll = found.every(({ fault }) => fault?.what === first?.fault?.what)
  if (!first?.fault || !isSure || !isAll) {
    const shapes = found.find((one) => one.shapes)?.shapes
    return unlike ?? shapes ?? found.find((one) => one.displaced)?.displaced
  }
  const { fault, pair } = first
  const what = `${fault.what} beside those of its source.`
  const told = fault.isGross ? failed('pictures', what) : failedAt('pictures', what, pair.at)
  const explainedBy: Explains = (both) => isFaultless(both, first, facts.video)
  return { told, pair, explainedBy: fault.isSure ? undefined : explainedBy }
}

function bothOf(
  video: VideoFacts,
  { film, source, of }: Pair,
  bytesOf: BytesOf,
): Readings | undefined {
  const made = readingOf({ ...video, bytes: lastOf(film, bytesOf) })
  const was = readingOf({ ...of, bytes: bytesOf(source) })
  return made && was && { film: made, source: was }
}

/** Whether a picture of the source is more like that of the film than the one it was compared with. */
function nearerThan(both: Readings, pair: Pair, video: VideoFacts): (one: Readings) => boolean {
  const likenessOf = (one: Readings): number => matchOfBoth(one, pair, video)?.likeness ?? 0
  const own = likenessOf(both)
  return (one) => likenessOf(one) > own
}

function shapesIn(
  both: Readings,
  pair: Pair,
  video: VideoFacts,
  isOfUsualQuality: boolean,
): PairFinding | undefined {
  const { geometry, of, at } = pair
  const changeIn = (one: Readings) =>
    changeOfShapes(one, geometry, video, { source: of, isOfUsualQuality })
  const change = changeIn(both)
  if (!change) return undefined
  const told = failedAt('pictures', change === 'lost' ? lostDetails : sharpened, at)
  const isNearer = nearerThan(both, pair, video)
  return { told, pair, explainedBy: (one) => isNearer(one) && !changeIn(one) }
}

function displacedIn(both: Readings, pair: Pair, video: VideoFacts): PairFinding | undefined {
  const { geometry, at } = pair
  if (!isDisplaced(both, geometry, video)) return undefined
  const told = failedAt('pictures', 'Its pictures lie a little beside where they have to be.', at)
  return { told, pair, explainedBy: (one) => isInPlace(one, geometry, video) }
}

/** Converts cells of a source to the matrix of the film: clips of other sizes joined to one often have another matrix. */
function writtenAs(to: ColorMatrix, cells: Buffer, from: ColorMatrix): Buffer {
  if (from === to) return cells
  const written = Buffer.from(cells)
  const count = cells.length / 3
  for (let i = 0; i < count; i++) {
    const [y = 0, u = 0, v = 0] = [cells[i], cells[count + i], cells[2 * count + i]]
    const color = inMatrix({ y, u, v }, from, to)
    for (const [plane, value] of [color.y, color.u, color.v].entries()) {
      written[plane * count + i] = Math.min(255, Math.max(0, Math.round(value)))
    }
  }
  return written
}

/** Few bits preserve no details; the limits for what encoders keep were measured with H.264. */
const leastFine = 50
const usualQuality = 65
/** Details of a source that is made smaller look like grain. */
const leastScale = { grain: 0.75, detail: 0.98 } as const

/** Finds grain that the source does not have, or lost details. */
function unlikeInDetail(
  video: VideoFacts,
  pair: Pair,
  { hasOwnColors, isFine }: { readonly hasOwnColors: boolean; readonly isFine: boolean },
  bytesOf: BytesOf,
): PairFinding | undefined {
  const { film, source, of, geometry, isSame, at } = pair
  const scales = [video.width / of.width, video.height / of.height]
  const scale = Math.min(...scales)
  const { shown, placeIn } = geometry
  const isWhole = shown.width * shown.height > 0.9
  // Pixels are compared with their left and right neighbours, which lie above and below in a source that is turned.
  const isTurned = placeIn(0, 0)[0] === placeIn(1, 0)[0]
  if (of.colorMatrix !== video.colorMatrix) return undefined
  if (!hasOwnColors || !isSame || !isWhole || isTurned || scale < leastScale.grain) return undefined
  const placeOf: Geometry['placeIn'] = (x, y) =>
    placeIn((x - shown.x) / shown.width, (y - shown.y) / shown.height)
  const isAsLarge = scale > leastScale.detail && Math.max(...scales) < 1 / leastScale.detail
  const isDetailed = isFine && of.hasConstantRate && isAsLarge
  const made = brightIn(video, lastOf(film, bytesOf))
  const unlike = (bytes: Buffer | undefined): string | undefined => {
    const was = brightIn(of, bytes)
    if (!made || !was) return undefined
    if (hasMoreGrain(made, was, placeOf)) return grainy
    return isDetailed && hasLostDetail(made, was, placeOf) ? lostDetails : undefined
  }
  const what = unlike(bytesOf(source))
  if (what === undefined) return undefined
  const read = bothOf(video, pair, bytesOf)
  const isNearer = read && nearerThan(read, pair, video)
  const explainedBy: Explains = (one, bytes) => isNearer?.(one) === true && !unlike(bytes)
  return { told: failedAt('pictures', what, at), pair, explainedBy }
}

const grainy = 'There is grain on its pictures that its source does not have.'
const sharpened = 'Its pictures are sharper than those of its source.'
const lostDetails = 'Its pictures have lost the details of those of its source.'

/** The last picture that was read. */
function lastOf(look: Unread, bytesOf: BytesOf): Buffer | undefined {
  const bytes = bytesOf(look)
  return bytes?.subarray(bytes.length - bytes.length / (look.count ?? 1))
}

/** The brightness of pictures that are stored in the usual way. */
function brightIn(
  { pixelFormat, width, height }: Omit<Unfiltered, 'bytes'>,
  bytes?: Buffer,
): Bright | undefined {
  const isPlain = /^yuvj?420p$/.test(pixelFormat) && bytes?.length === (width * height * 3) / 2
  return isPlain ? { bytes, width, height } : undefined
}

/** Pixels to the right and down. */
type Nudge = readonly [right: number, down: number]

/**
 * Shapes lie on even pixels, so a film may be off by this much. Lines thinner than a cell then fall into its neighbour,
 * and repeating ones look like others.
 */
const nudges = [-2, -1, 0, 1, 2].flatMap((right) =>
  [-2, -1, 0, 1, 2].map((down): Nudge => [right, down]),
)

type ReadPicture = Omit<Unfiltered, 'bytes'> & { readonly bytes: Buffer | undefined }

function readingOf({ bytes, ...picture }: ReadPicture): Reading | undefined {
  return bytes && readerOf({ ...picture, bytes })
}

const leastContrast = 8
const certain = { likeness: 0.9, off: 12, colorOff: 10, colorShare: 0.6 } as const

/** `isMoving`: the camera turns or is held still, so the whole picture may lie elsewhere. */
type AskedPicture = { readonly hasOwnColors: boolean; readonly isMoving: boolean }

/** `isSure`: a picture of another moment would not look so. */
type FoundFault = Flaw & { readonly isSure?: boolean }

function faultIn(match: Match, { hasOwnColors, isMoving }: AskedPicture): FoundFault | undefined {
  const { film, planned, likeness, off, colorOff, colorful } = match
  const turned = turnedIn(grid, [match], [planned])
  if (turned) return { what: turned.what, isGross: true, isSure: true }
  if (!isMoving && isMoved(film, planned, likeness))
    return { what: 'Its pictures are moved to a side', isGross: true }
  if (!hasOwnColors || likeness < certain.likeness) return undefined
  if (colorOff > Math.max(certain.colorOff, certain.colorShare * colorful)) {
    return { what: 'Its pictures have other colours', isGross: true }
  }
  // Sources may declare a wrong range of brightness.
  const what = 'Its pictures are brighter, darker or paler'
  const isOff = off > certain.off || (!isMoving && hasOtherRange(match))
  return isOff ? { what, isGross: false } : undefined
}

/** The full range of colours has a seventh more contrast than the limited one. */
const otherRange = { likeness: 0.98, gain: 1.1, contrast: 12 } as const

/** Whether bright parts of the source have become brighter and dark ones darker, or the other way round. */
function hasOtherRange({ likeness, contrast, filmContrast }: Match): boolean {
  const gain = filmContrast / Math.max(1, contrast)
  const isSame = likeness > otherRange.likeness && contrast > otherRange.contrast
  return isSame && (gain > otherRange.gain || gain < 1 / otherRange.gain)
}

const mostMoved = 12
const certainlyMoved = { likeness: 0.93, ofRest: 0.35, cells: 2 } as const

/** Whether a film is clearly more like its source if it is shifted. */
function isMoved(film: Buffer, planned: Buffer, likeness: number): boolean {
  const steps = Array.from({ length: 2 * mostMoved + 1 }, (_, i) => i - mostMoved)
  const moves = [...steps.map((by) => ({ x: by, y: 0 })), ...steps.map((by) => ({ x: 0, y: by }))]
  return moves
    .filter(({ x, y }) => Math.abs(x + y) >= certainlyMoved.cells)
    .some(({ x, y }) => {
      const moved = likenessMoved(film, planned, { x, y })
      const isLike = moved > certainlyMoved.likeness
      return isLike && 1 - moved < (1 - likeness) * certainlyMoved.ofRest
    })
}

/** How alike the overlapping parts are. */
function likenessMoved(film: Buffer, planned: Buffer, by: { x: number; y: number }): number {
  const width = cells - Math.abs(by.x)
  const count = width * (cells - Math.abs(by.y))
  const [a, b] = [Buffer.allocUnsafe(count), Buffer.allocUnsafe(count)]
  const inFilm = Math.max(0, by.y) * cells + Math.max(0, by.x)
  const inPlanned = Math.max(0, -by.y) * cells + Math.max(0, -by.x)
  for (let at = 0, row = 0; at < count; at += width, row += cells) {
    film.copy(a, at, inFilm + row, inFilm + row + width)
    planned.copy(b, at, inPlanned + row, inPlanned + row + width)
  }
  return correlate(a, b, count).likeness
}
