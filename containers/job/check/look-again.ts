import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Planned } from '../plan/plan-job.ts'
import {
  checkBlack,
  checkFrozen,
  checkLook,
  leastQuietSeconds,
  picturesOf,
  placeIn,
  type SeenTwice,
} from './check-pictures.ts'
import { failed, say, thousandths, type Looked } from './check-tables.ts'
import { lookAtAll, picturesIn, type Look, type Stretch } from './look-at-film.ts'
import { sourceStretch } from './source-moments.ts'
import { checkUnfiltered, type Pair } from './unfiltered/check-unfiltered.ts'
import { explainedIn } from './what-explains.ts'

export type Suspected = {
  readonly stretches: readonly Stretch[]
  readonly keys: readonly { readonly at: number; readonly picture: Buffer }[]
  /** Pictures that are read without filters, whatever else was found. */
  readonly pairs: readonly Pair[]
}

const mostSeenSeconds = 2
const comparedSeconds = 0.2
const seenPictures = 40

/**
 * Looks at doubtful stretches and at the same stretches of the source, and at what the source has around a picture of the film.
 * `doubts` are found beside what other checks have looked at.
 */
export async function lookAtSuspected(
  looked: Looked,
  suspected: Suspected,
): Promise<{ readonly checks: Check[]; readonly doubts: Check[] }> {
  const doubtful = doubtfulIn(looked, suspected)
  const moments = momentsIn(looked, suspected)
  const { pairs } = suspected
  const looks = [
    ...doubtful.flatMap(({ looks: both }) => both),
    ...moments.map(({ look }) => look),
    ...pairs.flatMap(({ film, source }) => [film, source]),
  ]
  if (looks.length === 0) return { checks: [checkBlack([]), checkFrozen([])], doubts: [] }
  const { seen } = await lookAtAll(looked.planned.context.tools, looks, 'again')
  const twice = doubtful.map(({ stretch, explained }, i): SeenTwice => ({
    ...{ stretch, explained },
    film: picturesIn(seen[2 * i]),
    source: picturesIn(seen[2 * i + 1]),
  }))
  const around = moments.map((one, i) => ({
    ...one,
    source: picturesIn(seen[2 * doubtful.length + i]),
  }))
  const { averageFps } = looked.film.plan
  const bytesOf = (look: Look): Buffer | undefined => seen[looks.indexOf(look)]
  const doubts = [
    checkUnfiltered(looked, pairs, bytesOf),
    checkLook(looked, around.map(besideItsOwn)),
    ...around.map((one) => checkMoment(one, averageFps)),
  ]
  return {
    checks: [checkBlack(twice), checkFrozen(twice)],
    doubts: doubts.flatMap((one) => one ?? []),
  }
}

function doubtfulIn(looked: Looked, { stretches }: Suspected) {
  const { planned, film, tables } = looked
  return stretches.flatMap((stretch) => {
    const same = sourceStretch(looked, stretch, leastQuietSeconds * 0.6)
    const explained = explainedIn(looked, stretch)
    if (!same || explained.size === 2) return []
    const to = Math.min(same.film.to, same.film.from + mostSeenSeconds)
    const shown = { from: same.film.from, to }
    const { from, seconds, count } = picturesOf(tables.picture, shown, seenPictures)
    const input = { name: film.name, demuxer: demuxers[film.facts.format], from, seconds }
    const looks: Look[] = [
      { kind: 'pictures', input, index: film.facts.video.index, count },
      lookAtSource(planned, same.source.clip, same.source.from, count),
    ]
    return [{ stretch, explained, looks }]
  })
}

/** Seconds of the source around the moment that a picture of the film is to show. */
const aroundSeconds = 0.32

function momentsIn(looked: Looked, { keys }: Suspected) {
  return keys.flatMap(({ at, picture }) => {
    const shown = { from: at, to: at + comparedSeconds }
    const same = sourceStretch(looked, shown, comparedSeconds / 2)
    if (!same || Math.abs(same.film.from - at) >= 0.001) return []
    const { clip, from } = same.source
    const fps = Math.max(1, looked.planned.clips[clip]?.facts.video.averageFps ?? 1)
    // At another speed, the moment lies between two pictures of the source. Times may be rounded to milliseconds.
    const last = Math.floor(from * fps + 0.25)
    const due = Math.min(Math.round(aroundSeconds * fps), last)
    const begin = Math.max(0, (last - due - 0.25) / fps)
    const count = due + 1 + Math.round(aroundSeconds * fps)
    return [{ at, picture, fps, due, look: lookAtSource(looked.planned, clip, begin, count) }]
  })
}

type Around = ReturnType<typeof momentsIn>[number] & { readonly source: readonly Buffer[] }

/** A picture of the film and the one of its source that is most like it. */
function besideItsOwn({ at, picture, source, due }: Around): SeenTwice {
  const { place, isClear } = placeIn(picture, source, due)
  const own = source[isClear ? place : due]
  return { stretch: { from: at, to: at + 0.04 }, film: [picture], source: own ? [own] : [] }
}

/** More than any rounding to whole pictures explains. */
const mostOff = { seconds: 0.1, pictures: 1.5 } as const

/** Whether the film shows at a moment what its source has sooner or later. */
function checkMoment(
  { at, picture, source, due, fps }: Around,
  filmFps: number,
): Check | undefined {
  const { place, isClear } = placeIn(picture, source, due)
  const late = (due - place) / fps
  const most = Math.max(mostOff.seconds, mostOff.pictures / Math.min(fps, filmFps))
  if (!isClear || Math.abs(late) <= most) return undefined
  const how = `${say(Math.abs(late))} s too ${late > 0 ? 'late' : 'early'}`
  const stretch = { startTime: thousandths(at), endTime: thousandths(at) }
  return { ...failed('sync', `Its picture is ${how}.`), stretch }
}

function lookAtSource({ clips }: Planned, clip: number, from: number, count: number): Look {
  const { video, facts } = clips[clip] ?? clips[0]
  const { path: name } = storedStream(video).from
  const seconds = (count + 1) / Math.max(1, facts.video.averageFps)
  const input = { name, demuxer: demuxers[facts.format], from, seconds }
  return { kind: 'pictures', input, index: facts.video.index, count }
}
