import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { readTool } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { escapeFilterValue } from '../../graph/escape.ts'
import { writeCaptions } from '../../render/captions/draw-captions.ts'
import { fontsFolder } from '../../render/captions/draw-text.ts'
import { standardMatrix } from '../../render/color/standard-picture.ts'
import type { CaptionTrack, SetCaption } from '../../text/caption-track.ts'
import { failed, passed, pictureAt, say, thousandths, type Looked } from './check-tables.ts'
import { lookFrom } from './shown/planned-pictures.ts'

const file = 'checked-captions.ass'
const mostMoments = 3
/** Pixels. */
const leastLetters = 9.5

/** Reads captions back at a few moments: draws them alone, and looks for the same letters in the film. */
export async function checkCaptions(looked: Looked): Promise<Check> {
  const name = 'captions'
  const { planned, film, tables } = looked
  const { captions: track } = planned
  const tracksDue = film.plan.tracks.filter(({ stream }) => stream.kind === 'subtitle').length
  if (tables.captionTracks < tracksDue) {
    return failed(
      name,
      `It has ${tables.captionTracks} tracks of captions, and was to have ${tracksDue}.`,
    )
  }
  // Small letters are blurred by the encoder.
  const isReadable = (track?.look.fontSize ?? 0) >= leastLetters
  const isOpaque = track && track.look.fill.opacity > 0.9 && isReadable
  const moments = track && isOpaque && !film.plan.excerpt ? momentsOf(looked, track) : []
  if (!track || moments.length === 0) return passed(name, 'No captions are drawn on its pictures.')
  const read = await readBack(looked, track, moments)
  const missing = moments.filter((_, i) => read[i] === false)
  const [first] = missing
  if (first === undefined) return passed(name, `Read back at ${moments.length} moments.`)
  const isAll = missing.length === moments.length
  const all = { startTime: 0, endTime: thousandths(tables.picture.endSeconds) }
  const where = `at ${missing.map(say).join(', ')} s`
  return {
    ...{ name, result: isAll ? 'failed' : 'warned' },
    message: isAll ? 'Its captions are not seen.' : `Its captions are not seen ${where}.`,
    stretch: isAll ? all : { startTime: thousandths(first), endTime: thousandths(first) },
  }
}

/** Shorter ones may lie between two pictures. */
const leastShown = 0.3

/**
 * Moments in the middle of captions: one of the first of them, one of those in the middle and one of the last. At key pictures
 * where there are some, because everything before another picture would have to be decoded.
 */
function momentsOf({ tables: { picture } }: Looked, { captions }: CaptionTrack): number[] {
  const long = captions.filter(
    (one) => one.endTime - one.startTime >= leastShown && one.endTime <= picture.endSeconds,
  )
  const count = Math.min(mostMoments, long.length)
  const keys = [...picture.at].filter((_, i) => picture.keys[i] === 1)
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

/** For each moment whether its letters are there. */
async function readBack(
  looked: Looked,
  track: CaptionTrack,
  moments: readonly number[],
): Promise<boolean[]> {
  const { planned, film } = looked
  const { tools } = planned.context
  const { plan, facts } = film
  const size = { width: plan.width, height: plan.height }
  const { frameRate, hasConstantRate } = plan
  const colorMatrix = standardMatrix(planned.clips[0].facts.video)
  const { frame } = planned.shaped
  const text = writeCaptions(track, { size, frame, frameRate, hasConstantRate, colorMatrix })
  await writeFile(path.join(tools.folder, file), text)
  const madeOf = (i: number) => `read${i}.raw`
  const inputs = moments.flatMap((at) => {
    const first = pictureAt(looked.tables.picture.at, at + 1e-6)
    const { from, seconds, isAtKey } = lookFrom(looked, { first, count: 1 }).input
    return [
      ...['-threads', '1', ...(isAtKey ? ['-noaccurate_seek'] : [])],
      ...['-ss', from.toFixed(6), '-t', seconds.toFixed(6)],
      ...guardedInput(film.name, demuxers[facts.format]),
    ]
  })
  const graph = [
    ...moments.map((_, i) => `[${i}:${facts.video.index}]format=yuv420p,extractplanes=y[r${i}]`),
    // An odd last line or column is left out when it is encoded.
    `${drawnAt(moments, size)},crop=${facts.video.width}:${facts.video.height}:0:0:exact=1,extractplanes=y[drawn]`,
  ]
  const raw = ['-fps_mode', 'passthrough', '-f', 'rawvideo']
  const outputs = [
    ...moments.flatMap((_, i) => [
      ...['-map', `[r${i}]`, '-frames:v', '1', ...raw, `file:${madeOf(i)}`],
    ]),
    ...['-map', '[drawn]', '-frames:v', String(2 * moments.length), ...raw, `file:${drawnFile}`],
  ]
  const filters = ['-filter_complex_threads', '1', '-filter_complex', graph.join(';')]
  const inFolder = (name: string): string => path.join(tools.folder, name)
  try {
    await readTool(tools, 'ffmpeg', [...guardedGlobals, '-y', ...inputs, ...filters, ...outputs])
    const drawn = await readFile(inFolder(drawnFile))
    const bytes = facts.video.width * facts.video.height
    if (drawn.length !== 2 * moments.length * bytes) throw new Error('Captions were not drawn')
    const pictureIn = (place: number) => drawn.subarray(place * bytes, (place + 1) * bytes)
    return await Promise.all(
      moments.map(async (_, i) => {
        const made = await readFile(inFolder(madeOf(i)))
        const [black, white] = [pictureIn(2 * i), pictureIn(2 * i + 1)]
        return hasLetters({ made, black, white }, facts.video.width)
      }),
    )
  } finally {
    const files = [drawnFile, ...moments.map((_, i) => madeOf(i))]
    await Promise.all(files.map(async (one) => rm(inFolder(one), { force: true })))
  }
}

const drawnFile = 'drawn.raw'
/** Two pictures cannot be shown at once. */
const momentLater = 0.0001

/** Captions alone at each moment, on black and then on white, by one filter: it takes longer to begin than to draw. */
function drawnAt(
  moments: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
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
type Read = Readonly<Record<'made' | 'black' | 'white', Buffer>>

/** Where letters look the same on black and on white, they cover the picture. */
const sameOnBoth = 10
/** How far an encoder may change the brightness of a letter. */
const sameLetter = 56
const middleGray = 126
const leastPixels = 40
const leastShare = 0.6

/**
 * Whether the covered pixels have the brightness of the letters: the bright ones and the dark ones each for themselves, because a
 * bright picture without letters has one of them too. Letters that are drawn nowhere are missing.
 */
function hasLetters({ made, black, white }: Read, width: number): boolean {
  // A picture that was scaled by a pixel, because its sides were odd, has them half a pixel beside.
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
