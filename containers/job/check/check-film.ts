import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkCaptions } from './check-captions.ts'
import {
  blackStretches,
  checkBlack,
  checkFrozen,
  checkLook,
  isExplained,
  keysToCompare,
  leastQuietSeconds,
  looksAsSource,
  picturesOf,
  quietStretches,
  type SeenTwice,
} from './check-pictures.ts'
import { checkSound, measuresLoudness, referenceSound } from './check-sound.ts'
import { checkDecoded, checkTables, failed, passed, type Looked } from './check-tables.ts'
import { checkTitleSafe } from './check-title-safe.ts'
import { readTables } from './film-tables.ts'
import { decoded } from './pictures-checked.ts'
import { lookAtAll, picturesIn, type Look, type Stretch } from './look-at-film.ts'
import { levelsOf } from './loudness-over-time.ts'
import { sourceStretch } from './source-moments.ts'

/**
 * Looks at a finished film: at its tables, at some of its pictures and at all of its sound. `seconds`: how long its pictures
 * have to be shown, where that is not what its clips have.
 */
export async function checkFilm(
  planned: Planned,
  film: Rendered,
  seconds?: number,
): Promise<Check[]> {
  const { tools } = planned.context
  const looked = { planned, film, tables: await readTables(tools, film), seconds }
  const found = checkTables(looked)
  // What is missing cannot be looked at.
  if (found.some(({ result }) => result === 'failed')) return found
  const { checks, suspected } = await lookOnce(looked)
  const again = await lookAtSuspected(looked, suspected)
  const colors = again.colors
  const tables = found.map((one) => (one.name === 'colors' && colors ? colors : one))
  return [
    ...tables,
    ...checks,
    ...again.checks,
    await checkCaptions(looked),
    checkTitleSafe(looked),
  ]
}

type Suspected = { readonly stretches: readonly Stretch[]; readonly keys: readonly KeySeen[] }
type KeySeen = { readonly at: number; readonly picture: Buffer }

async function lookOnce(looked: Looked): Promise<{ checks: Check[]; suspected: Suspected }> {
  const { planned, film, tables } = looked
  const { facts, name } = film
  const input = { name, demuxer: demuxers[facts.format] }
  const quiet = quietStretches(looked)
  const stretches = stretchesOf(looked)
  const looks: Look[] = [
    { kind: 'keys', input, index: facts.video.index },
    ...stretches.map(({ from, seconds, count }) => ({
      ...({ kind: 'pictures', index: facts.video.index, count } as const),
      input: { ...input, from, seconds },
    })),
  ]
  const { audio } = facts
  const reference = audio && referenceSound(looked)
  const places = new Map<string, number>()
  const add = (key: string, look: Look): void => {
    places.set(key, looks.length)
    looks.push(look)
  }
  if (audio) add('made', { kind: 'sound', input, index: audio.index })
  if (reference) add('wanted', { kind: 'sound', ...reference })
  if (audio && measuresLoudness(looked))
    add('meter', { kind: 'loudness', input, index: audio.index })
  const { seen, complaint } = await lookAtAll(planned.context.tools, looks, 'look')
  const bytesOf = (key: string) => seen[places.get(key) ?? Number.NaN]
  const keys = picturesIn(seen[0])
  const made = bytesOf('made')
  const wanted = bytesOf('wanted')
  const sound = made
    ? checkSound(looked, {
        made: levelsOf(made),
        wanted: wanted && levelsOf(wanted),
        meter: bytesOf('meter')?.toString('latin1'),
      })
    : []
  const counted = stretches.every(
    ({ count }, i) => picturesIn(seen[i + 1]).length >= Math.min(count, count - 2),
  )
  const compared = looksAsSource(looked) ? keysToCompare(looked) : []
  return {
    checks: [checkDecoding(looked, { complaint, counted }), ...sound],
    suspected: {
      stretches: [...quiet, ...blackStretches(tables.picture, keys)],
      keys: compared.flatMap(({ place, at }) => {
        const picture = keys[place]
        return picture ? [{ at, picture }] : []
      }),
    },
  }
}

/** All of a short film; of a longer one some pictures from its first, a middle and its last key picture on. */
function stretchesOf({ film: { plan }, tables: { picture } }: Looked) {
  const count = picture.at.length
  const isShort = count * plan.width * plan.height <= decoded.wholePixels
  if (isShort) return [picturesOf(picture, { from: 0, to: Infinity }, count)]
  // To begin between two of them takes all pictures since the first of both, which is most of what the checks would cost.
  const places = [0, count >> 1, count - 1].map((place) => picture.keys.lastIndexOf(1, place))
  return [...new Set(places)].map((place) => {
    const from = picture.at[place] ?? 0
    const stretch = picturesOf(picture, { from, to: Infinity }, decoded.pictures)
    // A decoder that is asked for a moment before a key picture begins at the one before that.
    return place > 0 ? { ...stretch, from: from + behindKey } : stretch
  })
}

const behindKey = 0.0005

type Decoding = { readonly complaint: string | undefined; readonly counted: boolean }

function checkDecoding({ film: { plan } }: Looked, { complaint, counted }: Decoding): Check {
  const name = 'decoding'
  if (plan.video === 'copy') return passed(name, 'It is stored as in the source, which was read.')
  if (complaint === undefined && !counted)
    return failed(name, 'Some of its pictures cannot be decoded.')
  return checkDecoded(complaint)
}

const mostSeenSeconds = 2
const comparedSeconds = 0.2
const seenPictures = 40

/** Looks at doubtful stretches, and at the same stretches of the source. */
async function lookAtSuspected(looked: Looked, { stretches, keys }: Suspected) {
  const { planned, film, tables } = looked
  const doubtful = stretches.flatMap((stretch) => {
    const same = sourceStretch(looked, stretch, leastQuietSeconds * 0.6)
    return same && !isExplained(looked, stretch) ? [{ stretch, ...same }] : []
  })
  const moments = keys.flatMap((key) => {
    const shown = { from: key.at, to: key.at + comparedSeconds }
    const same = sourceStretch(looked, shown, comparedSeconds / 2)
    const isThere = same && Math.abs(same.film.from - key.at) < 0.001
    return isThere ? [{ ...key, source: same.source }] : []
  })
  const looks: Look[] = []
  for (const { film: stretch, source } of doubtful) {
    const to = Math.min(stretch.to, stretch.from + mostSeenSeconds)
    const { from, seconds, count } = picturesOf(
      tables.picture,
      { from: stretch.from, to },
      seenPictures,
    )
    const input = { name: film.name, demuxer: demuxers[film.facts.format], from, seconds }
    looks.push({ kind: 'pictures', input, index: film.facts.video.index, count })
    looks.push(lookAtSource(planned, source.clip, source.from, count))
  }
  for (const { source } of moments) {
    looks.push(lookAtSource(planned, source.clip, source.from, 1))
  }
  if (looks.length === 0) return { checks: [checkBlack([]), checkFrozen([])], colors: undefined }
  const { seen } = await lookAtAll(planned.context.tools, looks, 'again')
  const twice = doubtful.map(({ stretch }, i): SeenTwice => ({
    stretch,
    film: picturesIn(seen[2 * i]),
    source: picturesIn(seen[2 * i + 1]),
  }))
  const alike = moments.map(({ at, picture }, i): SeenTwice => ({
    stretch: { from: at, to: at + 0.04 },
    film: [picture],
    source: picturesIn(seen[2 * doubtful.length + i]),
  }))
  return { checks: [checkBlack(twice), checkFrozen(twice)], colors: checkLook(alike) }
}

function lookAtSource({ clips }: Planned, clip: number, from: number, count: number): Look {
  const { video, facts } = clips[clip] ?? clips[0]
  const { path: name } = storedStream(video).from
  const seconds = (count + 1) / Math.max(1, facts.video.averageFps)
  const input = { name, demuxer: demuxers[facts.format], from, seconds }
  return { kind: 'pictures', input, index: facts.video.index, count }
}
