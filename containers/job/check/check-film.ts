import type { Check } from '../../../worker/contract/job/check.ts'
import type { FileTables } from '../../parts/window/window.ts'
import { windowGlobals } from '../../parts/window/window-of.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Rendered } from '../render/run-plan.ts'
import { checkCaptions, looksAtCaptions } from './check-captions.ts'
import { checkCoarseness } from './check-coarseness.ts'
import { checkDecoding } from './check-decoding.ts'
import {
  blackStretches,
  checkBlack,
  checkFrozen,
  keysSeen,
  isTakenForOther,
  isUnlikePlanned,
  keyToCompare,
  looksAsSource,
  picturesOf,
  quietStretches,
} from './check-pictures.ts'
import { checkSingles, placesOfSingles } from './check-single-pictures.ts'
import { checkSound, measuresLoudness, soundMadeAgain } from './check-sound.ts'
import { checkTables, passed, type Looked } from './check-tables.ts'
import { checkFaces, looksAtFaces } from './check-faces.ts'
import { checkTitleSafe } from './check-title-safe.ts'
import { readTables } from './film-tables.ts'
import { hasPicturesOfSource } from './same-packets.ts'
import { checkShown } from './shown/check-shown.ts'
import {
  isComparedWhole,
  isShort,
  placesOfParts,
  placeWithin,
  placesToCompare,
  secondsBehindKey,
} from './shown/places-to-compare.ts'
import {
  behindKey,
  besideEach,
  besideParts,
  graphOf,
  looksAtPlaces,
  remadeAt,
  type Comparison,
  type RemadePlace,
} from './shown/planned-pictures.ts'
import { lookAndMake } from './shown/make-in-small.ts'
import { gridFor, picturesOn } from './shown/picture-grid.ts'
import { inputOfFilm, picturesIn, type BytesOf, type Look, type LookInput } from './look-at-film.ts'
import { smallSize } from './small-pictures.ts'
import { doubtfulIn, isDoubtful, lookAgain, momentIn, seenTwice } from './look-again.ts'
import { checkUnfiltered } from './unfiltered/check-unfiltered.ts'
import { pairsOf, type Pair } from './unfiltered/pairs.ts'
import { cutsIn } from './source-moments.ts'
import { wantedSound } from './wanted-sound.ts'
import { trackOf, settingOf } from '../../graph/output-track.ts'

/**
 * Checks a finished film: its tables, some of its pictures and all of its sound. `seconds`: how long its pictures must be
 * shown, if that differs from its clips.
 */
export async function checkFilm(
  planned: Planned,
  film: Rendered,
  seconds?: number,
): Promise<Check[]> {
  const { tools } = planned.context
  const looked = { planned, film, tables: await readTables(tools, film), seconds }
  const found = checkTables(looked)
  // Pictures or sounds that are missing cannot be looked at.
  if (found.some(({ result }) => result === 'failed')) return found
  const { checks, doubts, again, shown, captions, faces } = await lookOnce(looked)
  const more = await lookAgain(looked, again)
  const allDoubts = [...doubts, ...more.doubts]
  const doubted = (one: Check): Check =>
    (one.result === 'passed' && allDoubts.find(({ name }) => name === one.name)) || one
  const twice = [...again.twice, ...more.twice]
  const titleSafe = checkTitleSafe(looked)
  const cutFace = titleSafe.result === 'passed' ? await faces() : undefined
  return [
    ...[...found, ...checks].map(doubted),
    ...[checkBlack(twice), checkFrozen(twice), doubted(shown), captions, cutFace ?? titleSafe],
  ]
}

/** If pictures have more pixels, running all decoders at once would take too much memory. */
const mostPixelsTogether = 1920 * 1200

async function lookOnce(looked: Looked) {
  const { planned, film, tables } = looked
  const asked = await looksOf(looked)
  const { looks, remade, heard, compared, atPlaces, whole, moments, doubtful } = asked
  const isLarge = [film.facts, ...planned.clips.map(({ facts }) => facts)].some(
    ({ video }) => video.width * video.height > mostPixelsTogether,
  )
  const grid = gridFor(film.plan)
  const small = { grid, timing: windowGlobals }
  const own = { name: film.name, isLarge }
  const all = [...remade, ...asked.remadeSingles]
  const again = { all, small, sound: heard && soundMadeAgain(looked) }
  const made = await lookAndMake(planned.context, own, { looks, stem: 'look' }, again)
  const { seen, complaint } = made
  const places = new Map<Look, number>(looks.map((one, i) => [one, i]))
  const bytesOf = (one: Look) => seen[places.get(one) ?? Number.NaN]
  const keys = keysSeen(tables.picture, picturesIn(bytesOf(asked.keys)))
  const meter = asked.meter && bytesOf(asked.meter)?.toString('latin1')
  const coding = trackOf(film.plan.tracks, 'audio')?.coding
  const channels = { due: channelsDue(looked, coding), made: film.facts.audio?.channels }
  const sound = heard && bytesOf(heard)
  const isCounted =
    atPlaces.every((one) => picturesOn(grid, bytesOf(one)).length >= one.count - 2) &&
    whole.every((one) => picturesIn(bytesOf(one)).length >= one.count - 2)
  const behind = made.planned?.pictures.slice(remade.length) ?? []
  const ofSingles = made.planned && { ...made.planned, pictures: behind }
  const singles = besideEach(asked.remadeSingles, ofSingles, asked.suspected.map(bytesOf))
  const beside = [
    ...besideEach(remade, made.planned, atPlaces.map(bytesOf)),
    ...(await besideParts(looked, asked.graph, placesOfParts(looked, compared))),
  ]
  const doubts = [
    await checkUnfiltered(looked, asked.pairs, bytesOf),
    checkSingles(looked, singles, beside),
    await checkCoarseness(looked),
  ]
  const { faces } = asked
  return {
    shown: asked.isOfSource ? passed('pictures', ofSource) : checkShown(looked, beside),
    checks: [
      await checkDecoding(looked, { complaint, isCounted }),
      ...(sound
        ? checkSound(looked, {
            made: sound,
            parts: asked.parts,
            ...{ bytesOf, meter, channels, coding, planned: made.sound },
          })
        : []),
    ],
    captions: checkCaptions(looked, asked.captions, bytesOf),
    faces: async () => faces && checkFaces(looked, faces, bytesOf(faces.look)),
    doubts: doubts.flatMap((one) => one ?? []),
    again: {
      twice: seenTwice(doubtful, bytesOf),
      stretches: blackStretches(tables.picture, keys),
      keys: doubtfulKeys(looked, moments, { keys, beside, bytesOf }),
    },
  }
}

const ofSource = 'Each of its pictures is stored as in its source, at the same moment.'

type KeysSeen = {
  readonly keys: readonly Buffer[]
  readonly beside: readonly Comparison[]
  readonly bytesOf: BytesOf
}

/** The key pictures that differ from what the source shows at their moments. */
function doubtfulKeys(
  looked: Looked,
  moments: readonly FilmMoment[],
  { keys, beside, bytesOf }: KeysSeen,
) {
  return moments.flatMap(({ place, at, look, isRemade }) => {
    const picture = keys[place]
    if (!picture) return []
    const isOdd = isRemade
      ? beside.some((one) => isWithin(one, at) && isUnlikePlanned(one))
      : isDoubtful(looked, { at, picture }, look && bytesOf(look))
    return isOdd ? [{ at, picture }] : []
  })
}

/** Everything that is looked at in any film. */
async function looksOf(looked: Looked) {
  const { film } = looked
  const { audio, video } = film.facts
  const input = { ...inputOfFilm(looked), isOnlyKeys: true }
  const isOfSource = await hasPicturesOfSource(looked)
  const graph = isOfSource ? undefined : await graphOf(looked)
  const compared = isOfSource ? [] : placesToCompare(looked, graph?.tables)
  const isWhole = isComparedWhole(looked)
  const atPlaces = looksAtPlaces(looked, compared).map((one) => (isWhole ? closely(one) : one))
  const keys = (isWhole && keysIn(looked, atPlaces[0])) || lookAtKeys(input, video.index)
  const whole = isShort(looked) && !isWhole && !isOfSource ? [lookAtWhole(looked)] : []
  const heard =
    audio && ({ kind: 'sound', input, index: audio.index, channels: audio.channels } as const)
  const parts = audio && wantedSound(looked)
  const meter =
    audio && measuresLoudness(looked)
      ? ({ kind: 'loudness', input, index: audio.index } as const)
      : undefined
  const doubtful = isOfSource ? [] : doubtfulIn(looked, quietStretches(looked))
  const singles = placesOfSingles(looked, graph?.tables)
  const suspected = looksAtPlaces(looked, singles)
  const remadeSingles = remadeAt(looked, graph, singles)
  const within = isWhole ? [{ ...placeWithin(looked), isWhole }] : compared
  const placesSeen = within.map((place, i) => ({ ...place, look: atPlaces[i] ?? keys }))
  const remade = remadeAt(looked, graph, compared)
  const pairs = pairsOf(looked, placesSeen, { tables: graph?.tables, remade })
  const moments = isOfSource ? [] : momentsToCompare(looked, graph?.tables, { pairs, remade })
  const captions = await looksAtCaptions(looked, input)
  const faces = looksAtFaces(looked, input)
  const looks: Look[] = [
    ...(isOfSource ? [] : [keys]),
    ...[...atPlaces, ...suspected, ...whole, ...(heard ? [heard] : [])],
    ...(parts ?? []).flatMap(({ look }) => look ?? []),
    ...[...(meter ? [meter] : []), ...doubtful.flatMap((one) => one.looks)],
    ...pairs.flatMap((pair) => [pair.film, pair.source]),
    ...moments.flatMap(({ look }) => look ?? []),
    ...(captions ? [captions.drawn, ...new Set(captions.made.map(({ look }) => look))] : []),
    ...(faces ? [faces.look] : []),
  ]
  return {
    ...{ looks, graph, compared, keys, atPlaces, whole, heard, parts, meter },
    ...{ doubtful, pairs, moments, captions, faces, remade, suspected, remadeSingles, isOfSource },
  }
}

type FilmMoment = {
  readonly place: number
  readonly at: number
  readonly look: Look | undefined
  readonly isRemade: boolean
}

/**
 * A key picture of a film that must look like its source, and the picture of the source at its moment. None if the plan
 * has remade the pictures behind it: a source with few key pictures would be decoded twice up to there.
 */
function momentsToCompare(
  looked: Looked,
  tables: FileTables | undefined,
  { pairs, remade }: { readonly pairs: readonly Pair[]; readonly remade: readonly RemadePlace[] },
): FilmMoment[] {
  if (!looksAsSource(looked)) return []
  const secondsBefore = (at: number) => secondsBehindKey(looked, tables, at)
  const pairAt = (at: number) => pairs.find((pair) => pair.isSame && isAt(pair, at))
  const isRemadeAt = (at: number) =>
    remade.some(({ place, times }) => (times ? isWithin(place, at) : isAt(place, at)))
  const isSeen = (at: number) => pairAt(at) !== undefined || isRemadeAt(at)
  const isOther = isTakenForOther(looked)
  return keyToCompare(looked, cutsIn(looked), { secondsBefore, isSeen }).flatMap(
    ({ place, at }): FilmMoment[] => {
      const seen = isOther ? undefined : pairAt(at)?.source
      if (seen) {
        const look = { ...seen, kind: 'pictures', count: 1 } as const
        return [{ place, at, look, isRemade: false }]
      }
      if (isRemadeAt(at)) return [{ place, at, look: undefined, isRemade: true }]
      const moment = isOther ? undefined : momentIn(looked, at, 0)
      return moment ? [{ place, at, look: behindItsKey(moment, tables), isRemade: false }] : []
    },
  )
}

/** The same look with the edges of blocks smoothed: hard edges carry over from one picture to the next, up to a key picture. */
function closely(look: ReturnType<typeof looksAtPlaces>[number]) {
  return { ...look, input: { ...look.input, isClose: true } }
}

function isAt(one: { readonly at: number }, at: number): boolean {
  return Math.abs(one.at - at) < 0.001
}

function isWithin(one: { readonly at: number; readonly seconds: number }, at: number): boolean {
  return isAt(one, at) || (at > one.at && at < one.at + one.seconds)
}

/** The same look without decoding anything before a key picture. */
function behindItsKey(
  { look, fps }: NonNullable<ReturnType<typeof momentIn>>,
  tables: FileTables | undefined,
): Look {
  const { from, ...input } = look.input
  const step = 1 / fps
  const keys = tables?.get(input.name)?.keys
  const key = keys?.find((one) => Math.abs(one - from - step / 4) < step / 3)
  const begin = key === undefined ? { from } : { from: key + behindKey, isAtKey: true }
  return { ...look, input: { ...input, ...begin, isClose: true } }
}

/** How many channels its sound has to have. */
function channelsDue(
  { planned, film: { plan } }: Looked,
  coding: readonly string[] = [],
): number | undefined {
  const { clips, replacement } = planned
  if (plan.audio === 'copy') return replacement ? undefined : clips[0].facts.audio?.channels
  const due = settingOf(coding, '-ac')
  return due === undefined ? undefined : Number(due)
}

function lookAtKeys(input: LookInput, index: number) {
  return { kind: 'keys', input, index } as const
}

/** The key pictures of a film that is decoded whole anyway. */
function keysIn(
  { tables: { picture } }: Looked,
  whole: ReturnType<typeof looksAtPlaces>[number] | undefined,
) {
  if (!whole) return undefined
  const places = [...picture.keys.keys()].filter((place) => picture.keys[place] === 1)
  const { input, index } = whole
  return { kind: 'some', input, index, places, size: smallSize } as const
}

function lookAtWhole(looked: Looked) {
  const { film, tables } = looked
  const { picture } = tables
  const { from, seconds, count } = picturesOf(picture, { from: 0, to: Infinity }, picture.at.length)
  const input = { ...inputOfFilm(looked), from, seconds }
  return { kind: 'pictures', input, index: film.facts.video.index, count } as const
}
