import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkCaptions } from './check-captions.ts'
import { checkDecoding } from './check-decoding.ts'
import {
  blackStretches,
  keysSeen,
  keyToCompare,
  looksAsSource,
  picturesOf,
  quietStretches,
} from './check-pictures.ts'
import { checkSound, measuresLoudness } from './check-sound.ts'
import { checkTables, type Looked } from './check-tables.ts'
import { checkFaces } from './check-faces.ts'
import { checkTitleSafe } from './check-title-safe.ts'
import { readTables } from './film-tables.ts'
import { checkShown } from './shown/check-shown.ts'
import {
  isShort,
  placesOfParts,
  placesToCompare,
  secondsBehindKey,
} from './shown/places-to-compare.ts'
import { besideParts, besideThePlan, graphOf, looksAtPlaces } from './shown/planned-pictures.ts'
import { gridFor, picturesOn } from './shown/picture-grid.ts'
import { lookAtAll, picturesIn, type Look } from './look-at-film.ts'
import { lookAtSuspected, type Suspected } from './look-again.ts'
import { pairsOf } from './unfiltered/check-unfiltered.ts'
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
  const { checks, suspected, shown } = await lookOnce(looked)
  const again = await lookAtSuspected(looked, suspected)
  const doubted = (one: Check): Check =>
    (one.result === 'passed' && again.doubts.find(({ name }) => name === one.name)) || one
  const all = [...found, ...checks].map(doubted)
  const titleSafe = checkTitleSafe(looked)
  const faces = titleSafe.result === 'passed' ? await checkFaces(looked) : undefined
  return [...all, ...again.checks, doubted(shown), await checkCaptions(looked), faces ?? titleSafe]
}

type LookedOnce = { readonly checks: Check[]; readonly suspected: Suspected; readonly shown: Check }

async function lookOnce(looked: Looked): Promise<LookedOnce> {
  const { planned, film, tables } = looked
  const { facts, name } = film
  const input = { name, demuxer: demuxers[facts.format] }
  const quiet = quietStretches(looked)
  const graph = await graphOf(looked)
  const compared = placesToCompare(looked, graph?.tables)
  const atPlaces = looksAtPlaces(looked, compared)
  const whole = isShort(looked) ? [lookAtWhole(looked)] : []
  const looks: Look[] = [{ kind: 'keys', input, index: facts.video.index }, ...atPlaces, ...whole]
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
  const keys = keysSeen(tables.picture, picturesIn(seen[0]))
  const made = bytesOf('made')
  const meter = bytesOf('meter')?.toString('latin1')
  const channels = { due: channelsDue(film.plan), made: audio?.channels }
  const sound = made ? checkSound(looked, { made, parts, bytesOf, meter, channels }) : []
  const seenAt = seen.slice(1, 1 + compared.length)
  const grid = gridFor(film.plan)
  const isCounted = compared.every(
    ({ count }, i) => picturesOn(grid, seenAt[i]).length >= count - 2,
  )
  const isWhole = whole.every(
    ({ count }) => picturesIn(seen[1 + compared.length]).length >= count - 2,
  )
  const secondsBefore = (at: number) => secondsBehindKey(looked, graph?.tables, at)
  const likely = looksAsSource(looked) ? keyToCompare(looked, cutsIn(looked), secondsBefore) : []
  const beside = [
    ...(await besideThePlan(looked, graph, compared, seenAt)),
    ...(await besideParts(looked, graph, placesOfParts(looked, compared))),
  ]
  return {
    shown: checkShown(looked, beside),
    checks: [await checkDecoding(looked, { complaint, isCounted: isCounted && isWhole }), ...sound],
    suspected: {
      pairs: pairsOf(looked, compared, graph?.tables),
      stretches: [...quiet, ...blackStretches(tables.picture, keys)],
      keys: likely.flatMap(({ place, at }) => {
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

function lookAtWhole({ film: { name, facts }, tables: { picture } }: Looked) {
  const { from, seconds, count } = picturesOf(picture, { from: 0, to: Infinity }, picture.at.length)
  const input = { name, demuxer: demuxers[facts.format], from, seconds }
  return { kind: 'pictures', input, index: facts.video.index, count } as const
}
