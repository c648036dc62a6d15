import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkCaptions } from './check-captions.ts'
import {
  blackStretches,
  keysToCompare,
  looksAsSource,
  picturesOf,
  quietStretches,
} from './check-pictures.ts'
import { checkSound, measuresLoudness } from './check-sound.ts'
import { checkDecoded, checkTables, failed, passed, type Looked } from './check-tables.ts'
import { checkFaces } from './check-faces.ts'
import { checkTitleSafe } from './check-title-safe.ts'
import { readTables } from './film-tables.ts'
import { decoded } from './pictures-checked.ts'
import { lookAtAll, picturesIn, type Look } from './look-at-film.ts'
import { lookAtSuspected, type Suspected } from './look-again.ts'
import { cutsIn } from './source-moments.ts'
import { wantedSound } from './wanted-sound.ts'

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
  const all = [...found, ...checks].map((one) => {
    const other = one.result === 'passed' && again.doubts.find(({ name }) => name === one.name)
    return other || one
  })
  const titleSafe = checkTitleSafe(looked)
  const faces = titleSafe.result === 'passed' ? await checkFaces(looked) : undefined
  return [...all, ...again.checks, await checkCaptions(looked), faces ?? titleSafe]
}

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
  const parts = audio && wantedSound(looked)
  const places = new Map<unknown, number>()
  const add = (key: unknown, look: Look): void => {
    places.set(key, looks.length)
    looks.push(look)
  }
  if (audio) {
    const { index, channels } = audio
    add('made', { kind: 'sound', input, index, channels })
  }
  for (const { look } of parts ?? []) if (look) add(look, { kind: 'sound', ...look })
  if (audio && measuresLoudness(looked))
    add('meter', { kind: 'loudness', input, index: audio.index })
  const { seen, complaint } = await lookAtAll(planned.context.tools, looks, 'look')
  const bytesOf = (key: unknown) => seen[places.get(key) ?? Number.NaN]
  const keys = picturesIn(seen[0])
  const made = bytesOf('made')
  const meter = bytesOf('meter')?.toString('latin1')
  const channels = { due: channelsDue(film.plan), made: audio?.channels }
  const sound = made ? checkSound(looked, { made, parts, bytesOf, meter, channels }) : []
  const counted = stretches.every(
    ({ count }, i) => picturesIn(seen[i + 1]).length >= Math.min(count, count - 2),
  )
  const compared = looksAsSource(looked) ? keysToCompare(looked, cutsIn(looked)) : []
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

/** How many channels its sound is encoded with; undefined if it is copied. */
function channelsDue({ tracks }: Looked['film']['plan']): number | undefined {
  const coding = tracks.find(({ stream }) => stream.kind === 'audio')?.coding ?? []
  const at = coding.indexOf('-ac')
  return at < 0 ? undefined : Number(coding[at + 1])
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
