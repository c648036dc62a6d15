import type { Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Planned } from '../plan/plan-job.ts'
import {
  checkLook,
  isUnlike,
  leastQuietSeconds,
  picturesOf,
  placeIn,
  type SeenTwice,
} from './check-pictures.ts'
import { say, type Looked, failedAt } from './check-tables.ts'
import {
  lookAtAll,
  picturesIn,
  type Look,
  type Stretch,
  inputOfFilm,
  type BytesOf,
} from './look-at-film.ts'
import { sourceStretch } from './source-moments.ts'
import { placeElement } from '../../render/elements/place-element.ts'
import { asShown, geometryOf, showsEnough, type Geometry } from './unfiltered/frame-geometry.ts'

/** A key picture of the film. */
type Key = { readonly at: number; readonly picture: Buffer }

const mostSeenSeconds = 2
const comparedSeconds = 0.2
const seenPictures = 40
const mostOfSource = 4 * seenPictures

/** A stretch that is read from both the film and its source. */
type Doubtful = {
  readonly stretch: Stretch
  readonly explained: ReadonlySet<'black' | 'frozen'>
  readonly geometry: Geometry
  readonly looks: readonly [film: Look, source: Look]
}

export function seenTwice(doubtful: readonly Doubtful[], bytesOf: BytesOf): SeenTwice[] {
  return doubtful.map(({ stretch, explained, geometry, looks: [film, source] }) => ({
    ...{ stretch, explained },
    film: picturesIn(bytesOf(film)),
    source: picturesIn(bytesOf(source)).map((one) => asShown(one, geometry)),
  }))
}

/**
 * Compares doubtful stretches with the same stretches of the source, and a doubtful picture of the film with the pictures
 * of the source around its moment. `doubts` come from what other checks have read.
 */
export async function lookAgain(
  looked: Looked,
  { stretches, keys }: { readonly stretches: readonly Stretch[]; readonly keys: readonly Key[] },
): Promise<{ readonly twice: SeenTwice[]; readonly doubts: Check[] }> {
  const doubtful = doubtfulIn(looked, stretches)
  const moments = keys.flatMap((key) => {
    const moment = momentIn(looked, key.at, aroundSeconds)
    return moment ? [{ ...key, ...moment }] : []
  })
  const looks = [...doubtful.flatMap((one) => one.looks), ...moments.map(({ look }) => look)]
  if (looks.length === 0) return { twice: [], doubts: [] }
  const { seen } = await lookAtAll(looked.planned.context.tools, looks, 'again')
  const bytesOf: BytesOf = (look) => seen[looks.indexOf(look)]
  const around = moments.map((one) => ({ ...one, source: picturesIn(bytesOf(one.look)) }))
  const { averageFps } = looked.film.plan
  const doubts = [
    checkLook(looked, around.map(besideItsOwn)),
    ...around.map((one) => checkMoment(one, averageFps)),
  ]
  return { twice: seenTwice(doubtful, bytesOf), doubts: doubts.flatMap((one) => one ?? []) }
}

/** Whether a picture of the film differs from what its source shows at the same moment. */
export function isDoubtful(looked: Looked, { at, picture }: Key, source: Buffer | undefined) {
  if (!source) return true
  const same = { stretch: { from: at, to: at }, film: [picture], source: [source] }
  return isUnlike(picture, source) || checkLook(looked, [same]) !== undefined
}

export function doubtfulIn(looked: Looked, stretches: readonly Stretch[]): Doubtful[] {
  const { planned, film, tables } = looked
  return stretches.flatMap((stretch) => {
    const same = sourceStretch(looked, stretch, leastQuietSeconds * 0.6)
    const explained = explainedIn(looked, stretch)
    const geometry = same && geometryOf(looked, same.source.clip)
    if (!geometry || !showsEnough(geometry) || explained.size === 2) return []
    const to = Math.min(same.film.to, same.film.from + mostSeenSeconds)
    const shown = { from: same.film.from, to }
    const { from, seconds, count } = picturesOf(tables.picture, shown, seenPictures)
    const input = { ...inputOfFilm(looked), from, seconds }
    const own = { kind: 'pictures', input, index: film.facts.video.index, count } as const
    const { clip } = same.source
    const source = lookAtSource(planned, clip, same.source.from, countIn(planned, clip, seconds))
    return [{ stretch, explained, geometry, looks: [own, source] }]
  })
}

/** How many pictures the source has in this many seconds of the film. */
function countIn({ clips, timeline: { speed = 1 } }: Planned, clip: number, seconds: number) {
  const { averageFps } = (clips[clip] ?? clips[0]).facts.video
  return Math.max(1, Math.min(mostOfSource, Math.round(seconds * speed * averageFps)))
}

/** Seconds of the source read around the moment of a doubtful picture. */
const aroundSeconds = 0.32

/** Where to read what the source shows at a moment of the film, and for some seconds around it. */
export function momentIn(looked: Looked, at: number, around: number) {
  const shown = { from: at, to: at + comparedSeconds }
  const same = sourceStretch(looked, shown, comparedSeconds / 2)
  if (!same || Math.abs(same.film.from - at) >= 0.001) return undefined
  const { clip, from } = same.source
  const fps = Math.max(1, looked.planned.clips[clip]?.facts.video.averageFps ?? 1)
  // At another speed, the moment lies between two pictures of the source. Times may be rounded to milliseconds.
  const last = Math.floor(from * fps + 0.25)
  const due = Math.min(Math.round(around * fps), last)
  const begin = Math.max(0, (last - due - 0.25) / fps)
  const count = due + 1 + Math.round(around * fps)
  return { fps, due, look: lookAtSource(looked.planned, clip, begin, count) }
}

type KeyMoment = Key &
  NonNullable<ReturnType<typeof momentIn>> & { readonly source: readonly Buffer[] }

/** A picture of the film and the most similar one of its source. */
function besideItsOwn({ at, picture, source, due }: KeyMoment): SeenTwice {
  const { place, isClear } = placeIn(picture, source, due)
  const own = source[isClear ? place : due]
  return { stretch: { from: at, to: at + 0.04 }, film: [picture], source: own ? [own] : [] }
}

/** More than rounding to whole pictures can explain. */
const mostOff = { seconds: 0.1, pictures: 1.5 } as const

/** Whether the film shows at a moment what its source has earlier or later. */
function checkMoment(
  { at, picture, source, due, fps }: KeyMoment,
  filmFps: number,
): Check | undefined {
  const { place, isClear } = placeIn(picture, source, due)
  const late = (due - place) / fps
  const most = Math.max(mostOff.seconds, mostOff.pictures / Math.min(fps, filmFps))
  if (!isClear || Math.abs(late) <= most) return undefined
  const how = `${say(Math.abs(late))} s too ${late > 0 ? 'late' : 'early'}`
  return failedAt('sync', `Its picture is ${how}.`, at)
}

function lookAtSource({ clips }: Planned, clip: number, from: number, count: number) {
  const { video, facts } = clips[clip] ?? clips[0]
  const { path: name } = storedStream(video).from
  const seconds = (count + 1) / Math.max(1, facts.video.averageFps)
  const input = { name, demuxer: demuxers[facts.format], from, seconds }
  return { kind: 'pictures', input, index: facts.video.index, count } as const
}

type Oddity = 'black' | 'frozen'

/** Settings so dark that pictures may become black. */
const darkest = { brightness: -0.3, contrast: 0.5 } as const
const most = 0.4

/** The oddities of a stretch that the request itself explains. */
function explainedIn(looked: Looked, stretch: Stretch): ReadonlySet<Oddity> {
  const { planned, film } = looked
  const { fadeIn, fadeOut, color, stabilize } = planned.context.job.options
  const { brightness = 0, contrast = 1, lutUrl } = color ?? {}
  const isFaded =
    meets(stretch, 0, fadeIn?.duration ?? 0) ||
    (fadeOut !== undefined &&
      meets(stretch, film.plan.durationSeconds - fadeOut.duration, film.plan.durationSeconds))
  const isDark =
    lutUrl !== undefined || brightness < darkest.brightness || contrast < darkest.contrast
  // When the crop follows people, or the camera is held still, movement may lie outside of the picture.
  const isHeld = stabilize || planned.clips.some(({ seen }) => seen)
  const isCovered = isFaded || coversMost(looked, stretch)
  return new Set([
    ...(isCovered || isDark ? (['black'] as const) : []),
    ...(isCovered || isHeld ? (['frozen'] as const) : []),
  ])
}

function meets({ from, to }: Stretch, start: number, end: number): boolean {
  return from < end && start < to
}

/** Whether elements may cover so much of the picture that mostly they are seen. */
function coversMost({ planned, film: { plan } }: Looked, stretch: Stretch): boolean {
  const { context, elementMedia, shaped } = planned
  const { frame } = shaped
  const begun = plan.excerpt?.start ?? 0
  const below = { ...planned, ...plan, frame, durationSeconds: begun + plan.durationSeconds }
  const areas = (context.job.options.elements ?? []).map((element, index) => {
    const media = elementMedia[index]
    if (element.type === 'audio' || element.type === 'blur' || element.type === 'text') return 0
    if (!media || media.facts.kind === 'sound') return 0
    const film = { ...below, colorMatrix: 'bt709' } as const
    const visual = { ...media, facts: media.facts }
    const judged = placeElement({ index, element, media: visual }, film)
    if (!('placed' in judged)) return 0
    const { placed } = judged
    if (!meets(stretch, placed.span.start - begun, placed.span.end - begun)) return 0
    return placed.size.width * placed.size.height
  })
  return areas.reduce((sum, area) => sum + area, 0) > most * frame.width * frame.height
}
