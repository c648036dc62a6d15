import { demuxers } from '../../../ffmpeg/measure-media.ts'
import { storedStream } from '../../../graph/stored-stream.ts'
import type { VideoFacts } from '../../../timeline/media-facts.ts'
import type { FileTables } from '../../../parts/window/window.ts'
import { pictureAt, type Looked } from '../check-tables.ts'
import type { Look, LookInput } from '../look-at-film.ts'
import { decoded, isBrief } from '../../pictures-checked.ts'
import {
  behindKey,
  lookFrom,
  readAnyway,
  type PlannedPlace,
  type RemadePlace,
} from '../shown/planned-pictures.ts'
import { sourceAt } from '../source-moments.ts'
import { geometryOf, type Geometry } from './frame-geometry.ts'
import { isReadable, type Unfiltered } from './read-unfiltered.ts'

/** A key picture of the film and one that its source shows at about that time, as the decoders give them. */
export type Pair = {
  readonly film: Unread
  readonly source: Unread
  readonly geometry: Geometry
  readonly of: Omit<Unfiltered, 'bytes'> &
    Pick<VideoFacts, 'averageFps' | 'hasConstantRate' | 'colorMatrix'>
  /** The second of the film. */
  readonly at: number
  /** Whether the source shows the same picture, and not one a little before it. */
  readonly isSame: boolean
}

export type Unread = Extract<Look, { kind: 'unfiltered' }>

/** A place of the film, and the reading that covers it anyway. */
type PlaceSeen = PlannedPlace & { readonly look: { readonly input: LookInput } }

type KnownFilm = {
  readonly tables: FileTables | undefined
  readonly remade: readonly RemadePlace[]
}

/** How far before a moment the picture of the source may lie, because a source changes, and how far back decoding may begin. */
const mostBefore = { seconds: 2, decoded: 0.5 } as const
const mostPixels = decoded.inAnyCase / 4
/** How many pairs are compared, because all are in memory at once. */
const mostPairs = 2
const mostPixelsOfPicture = 4096 * 2304
/** How many pictures are read if they are decoded anyway; the last of them is compared. */
const mostRead = 3
/** Reads only the key picture before a moment. */
const onlyKey = { isAtKey: true, isOnlyKeys: true, seconds: 0.1 } as const

/**
 * Pictures that are read without filters: if the filters of a program are at fault, the remade pictures have the same
 * fault as the film.
 */
export function pairsOf(
  looked: Looked,
  places: readonly PlaceSeen[],
  { tables, remade }: KnownFilm,
): Pair[] {
  const { planned, film } = looked
  if (film.plan.video === 'copy') return []
  const pairs = places.flatMap(({ first, look, isWhole }): Pair[] => {
    const at = looked.tables.picture.at[first] ?? 0
    const same = sourceAt(looked, at, 'about')
    if (!same) return []
    const { clip, from } = same.source
    const { video, facts } = planned.clips[clip] ?? planned.clips[0]
    const geometry = geometryOf(looked, clip)
    const { path: name } = storedStream(video).from
    const keys = tables?.get(name)?.keys
    const isReadWhole = remade.some(({ times }) => times) && readAnyway(remade, name, 0)
    const lastKey = keys?.findLast((one) => one <= from + 0.001) ?? Number.NEGATIVE_INFINITY
    const key = isReadWhole ? 0 : lastKey
    const before = isReadWhole ? 0 : from - key
    if (!geometry || !isComparable(facts.video) || before > mostBefore.seconds) return []
    const { width, height, averageFps } = facts.video
    const pixels = before * averageFps * width * height
    const isSame = before < mostBefore.decoded || pixels < mostPixels
    const isKey = !isReadWhole && Math.abs(before) < stepOf(facts.video) / 2
    const begins = beginOf(facts.video, film.facts.video, { key, at: from })
    const { how, due } = howToRead(facts.video, { isSame, isKey, key, begins })
    const file = readAnyway(remade, name, key)
    const within = file && { file, from: due, to: due + stepOf(facts.video) }
    const source = {
      name,
      demuxer: demuxers[facts.format],
      from,
      ...how,
      ...(within && { within }),
    }
    const soon = Math.min(stepOf(facts.video), stepOf(film.facts.video)) / 4
    const shown = pictureAt(looked.tables.picture.at, same.film.from + soon)
    const isNear = shown >= first && shown < first + mostRead
    const near = isNear
      ? { input: look.input, count: shown - first + 1 }
      : lookFrom(looked, { first: shown, count: 1 })
    const own = isWhole
      ? { input: look.input, place: shown }
      : { input: near.input, count: near.count }
    const { index } = film.facts.video
    return [
      {
        film: { kind: 'unfiltered', ...own, index },
        source: { kind: 'unfiltered', input: source, index: facts.video.index },
        ...{ geometry, of: facts.video, isSame, at: isSame ? same.film.from : at },
      },
    ]
  })
  const same = pairs.filter(({ isSame }) => isSame)
  const some = same.length > 0 ? same : pairs
  if (same.length > 0 && isBrief(looked.tables.picture.at.length)) return some.slice(-1)
  return some.length <= mostPairs ? some : [...some.slice(0, 1), ...some.slice(1 - mostPairs)]
}

function stepOf({ averageFps }: Pick<VideoFacts, 'averageFps'>): number {
  return 1 / Math.max(1, averageFps)
}

/** When the picture of a source begins that is shown at a moment: a film with a clearly higher rate repeats it. */
function beginOf(
  video: VideoFacts,
  film: VideoFacts,
  { key, at }: { key: number; at: number },
): number {
  const step = stepOf(video)
  const isSlower = video.hasConstantRate && step > 1.5 * stepOf(film)
  return isSlower ? key + Math.floor((at - key) / step + 0.25) * step : at
}

type WantedPair = {
  readonly isSame: boolean
  readonly isKey: boolean
  readonly key: number
  readonly begins: number
}

/** How to read a picture of a source, and from when on it is needed if the file is decoded anyway. */
function howToRead(video: VideoFacts, { isSame, isKey, key, begins }: WantedPair) {
  const step = stepOf(video)
  const due = (isSame && !isKey ? begins : key) - step / 4
  if (!isSame) return { how: onlyKey, due }
  // Asked for a moment before a key picture, a program decodes everything since the key picture before that.
  const exact = isKey
    ? { from: key + behindKey, isAtKey: true, seconds: step }
    : { from: Math.max(0, begins - step / 4), seconds: step }
  return { how: { ...exact, isClose: true }, due }
}

function isComparable(video: VideoFacts): boolean {
  const { hasAlpha, ownTurn, pixelFormat, width, height } = video
  if (width * height > mostPixelsOfPicture) return false
  return !hasAlpha && !ownTurn && isReadable(pixelFormat)
}
