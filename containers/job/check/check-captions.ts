import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { escapeFilterValue } from '../../graph/escape.ts'
import { writeCaptions } from '../../render/captions/draw-captions.ts'
import { fontsFolder } from '../../render/captions/draw-text.ts'
import { standardMatrix } from '../../render/color/standard-picture.ts'
import type { CaptionTrack, SetCaption } from '../../text/caption-track.ts'
import { failed, passed, pictureAt, say, type Looked, failedAt, asDoubt } from './check-tables.ts'
import type { BytesOf, Look, LookInput } from './look-at-film.ts'
import { lookFrom } from './shown/planned-pictures.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { keyTimes } from './film-tables.ts'

const file = 'checked-captions.ass'
const mostMoments = 3
/** Pixels. */
const leastLetters = 9.5

/** Captions drawn alone at a few moments, and the pictures of the film at these moments. */
type CaptionsLook = {
  readonly moments: readonly number[]
  readonly drawn: Look
  /** For each moment, the look that reads it from the film, and its place among the pictures of that look. */
  readonly made: readonly { readonly look: Look; readonly place: number }[]
}

/**
 * How captions are read back: they are drawn alone, and the same letters are looked for in the film. Undefined if it has
 * none to read. `keys`: an input of which only key pictures are decoded.
 */
export async function looksAtCaptions(
  looked: Looked,
  keys: LookInput,
): Promise<CaptionsLook | undefined> {
  const { planned, film } = looked
  const { captions: track } = planned
  // The encoder blurs small letters.
  const isReadable = (track?.look.fontSize ?? 0) >= leastLetters
  const isOpaque = track && track.look.fill.opacity > 0.9 && isReadable
  const moments = track && isOpaque && !film.plan.excerpt ? momentsOf(looked, track) : []
  if (!track || moments.length === 0) return undefined
  const { plan, facts } = film
  const size = { width: plan.width, height: plan.height }
  const { frameRate, hasConstantRate } = plan
  const colorMatrix = standardMatrix(planned.clips[0].facts.video)
  const { frame } = planned.shaped
  const text = writeCaptions(track, { size, frame, frameRate, hasConstantRate, colorMatrix })
  await writeFile(path.join(planned.context.tools.folder, file), text)
  // Encoding leaves out an odd last line or column.
  const shape = `crop=${facts.video.width}:${facts.video.height}:0:0:exact=1,extractplanes=y`
  const graph = `${drawnAt(moments, size)},${shape}`
  const drawn = { kind: 'drawn', graph, count: 2 * moments.length } as const
  return { moments, drawn, made: madeAt(looked, keys, moments) }
}

function madeAt(looked: Looked, input: LookInput, moments: readonly number[]) {
  const { tables, film } = looked
  const { index } = film.facts.video
  const times = keyTimes(tables.picture)
  const places = moments.map((moment) => times.indexOf(moment))
  if (!places.includes(-1)) {
    const look = { kind: 'some', input, index, places } as const
    return moments.map((_, place) => ({ look, place }))
  }
  return moments.map((moment) => {
    const first = pictureAt(tables.picture.at, moment + 1e-6)
    const own = lookFrom(looked, { first, count: 1 })
    return { look: { kind: 'unfiltered', input: own.input, index } as const, place: 0 }
  })
}

export function checkCaptions(
  looked: Looked,
  read: CaptionsLook | undefined,
  bytesOf: BytesOf,
): Check {
  const name = 'captions'
  const { film, tables } = looked
  const tracksDue = film.plan.tracks.filter(({ stream }) => stream.kind === 'subtitle').length
  if (tables.captionTracks < tracksDue) {
    return failed(
      name,
      `It has ${tables.captionTracks} tracks of captions, and was to have ${tracksDue}.`,
    )
  }
  if (!read) return passed(name, 'No captions are drawn on its pictures.')
  const { moments } = read
  const isRead = readBack(looked, read, bytesOf)
  const missing = moments.filter((_, i) => isRead[i] === false)
  const [first] = missing
  const { length } = moments
  if (first === undefined)
    return passed(
      name,
      `Its captions were read back at ${length} moment${length === 1 ? '' : 's'}.`,
    )
  if (missing.length === moments.length) {
    return failedAt(name, 'Its captions are not seen.', 0, tables.picture.endSeconds)
  }
  const where = missing.map(say).join(', ')
  return asDoubt(failedAt(name, `Its captions are not seen at ${where} s.`, first))
}

/** A shorter caption may lie between two pictures. */
const leastShown = 0.3

/**
 * Moments in the middle of captions: one early, one halfway and one late in the film. At key pictures if possible, because
 * any other picture needs all those before it decoded.
 */
function momentsOf({ tables: { picture } }: Looked, { captions }: CaptionTrack): number[] {
  const long = captions.filter(
    (one) => one.endTime - one.startTime >= leastShown && one.endTime <= picture.endSeconds,
  )
  const count = Math.min(mostMoments, long.length)
  const keys = keyTimes(picture)
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i, i + 1].map((one) => Math.round((one * long.length) / count))
    const some = long.slice(from, to)
    const atKey = some.map((one) => keyIn(one, keys)).find((key) => key !== undefined)
    const { startTime, endTime } = some[i === 0 ? 0 : some.length - 1] ?? {
      startTime: 0,
      endTime: 0,
    }
    return atKey ?? picture.at[pictureAt(picture.at, (startTime + endTime) / 2)] ?? 0
  })
}

function keyIn({ startTime, endTime }: SetCaption, keys: readonly number[]): number | undefined {
  const edge = (endTime - startTime) / 4
  return keys.find((one) => one > startTime + edge && one < endTime - edge)
}

/** For each moment, whether its letters are in the film. */
function readBack(
  { film: { facts } }: Looked,
  { moments, drawn: drawing, made }: CaptionsLook,
  bytesOf: BytesOf,
): boolean[] {
  const { width, height } = facts.video
  const luma = width * height
  const drawn = bytesOf(drawing)
  if (drawn?.length !== 2 * moments.length * luma) throw new Error('Captions were not drawn')
  const pictureIn = (place: number) => drawn.subarray(place * luma, (place + 1) * luma)
  // Behind the brightness of each picture come its two planes of colour, each with a quarter as many values.
  const each = luma + 2 * Math.ceil(width / 2) * Math.ceil(height / 2)
  return made.map(({ look, place }, i) => {
    const shown = bytesOf(look)?.subarray(place * each, place * each + luma) ?? Buffer.alloc(0)
    const [black, white] = [pictureIn(2 * i), pictureIn(2 * i + 1)]
    return hasLetters({ made: shown, black, white }, width)
  })
}

/** A filter cannot draw two pictures at the same time, so the second comes this much later. */
const momentLater = 0.0001

/** Draws captions alone at each moment, on black and then on white, by one filter: it takes longer to start than to draw. */
function drawnAt(moments: readonly number[], { width, height }: Size): string {
  const count = 2 * moments.length
  const at = moments.map((one, i) => `between(N,${2 * i},${2 * i + 1})*${one.toFixed(6)}`)
  const fonts = `fontsdir=${fontsFolder}:shaping=complex`
  return [
    `color=c=black:s=${width}x${height}:r=1:d=${count},format=yuv420p`,
    "negate=enable='mod(n,2)',settb=1/90000",
    `setpts='(${at.join('+')}+mod(N,2)*${momentLater})/TB'`,
    `ass=filename=${escapeFilterValue(file)}:${fonts}`,
  ].join(',')
}

/** The brightness of a picture of the film, and of its captions alone on black and on white. */
type CaptionBytes = Readonly<Record<'made' | 'black' | 'white', Buffer>>

/** A letter covers the picture where its brightness is the same on black and on white. */
const sameOnBoth = 10
/** How far an encoder may change the brightness of a letter. */
const sameLetter = 56
const middleGray = 126
const leastPixels = 40
const leastShare = 0.6

/**
 * Whether the covered pixels have the brightness of the letters. Bright and dark ones are judged separately, because a
 * bright picture without letters has one of the two as well. Letters that are drawn nowhere count as missing.
 */
function hasLetters({ made, black, white }: CaptionBytes, width: number): boolean {
  // The letters of a picture that was scaled by a pixel, because its sides were odd, lie half a pixel beside.
  const beside = [0, -1, 1, -width, width]
  const counts = { bright: 0, dark: 0, brightSeen: 0, darkSeen: 0 }
  for (let i = 0; i < black.length; i++) {
    const ink = black[i] ?? 0
    if (Math.abs(ink - (white[i] ?? 0)) > sameOnBoth) continue
    const isSeen = beside.some((by) => Math.abs((made[i + by] ?? ink + 255) - ink) < sameLetter)
    if (ink > middleGray) {
      counts.bright += 1
      counts.brightSeen += isSeen ? 1 : 0
    } else {
      counts.dark += 1
      counts.darkSeen += isSeen ? 1 : 0
    }
  }
  const { bright, dark, brightSeen, darkSeen } = counts
  if (bright + dark < leastPixels) return false
  const isThere = (seen: number, all: number): boolean =>
    all < leastPixels || seen / all > leastShare
  return isThere(brightSeen, bright) && isThere(darkSeen, dark)
}
