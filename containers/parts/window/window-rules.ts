import type { PictureFilter } from '../../../worker/contract/job/part-spec.ts'
import { connect, pipe, pipeAll, type Filter, type Stream } from '../../graph/filter-graph.ts'
import { keepExpression } from '../../timeline/keep-expression.ts'
import type { FrameRate } from '../../timeline/frame-rate.ts'
import { spansBeforeCuts, subtractSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { clampSpans, merged, totalLength } from '../../numbers/spans.ts'
import { PartRefusal } from '../part-refusal.ts'
import type { PictureTimes } from './picture-times.ts'
import { cycleFrames, inputOf, isStillStream, keptIn, retimingOf } from './times-of.ts'
import { trimmed } from '../../graph/cut-in-time.ts'
import { widened, type Walk, type Window, type WindowRule } from './window.ts'

/** Each picture is made from the pictures of the same time, whichever came before. */
const sameTime: WindowRule = (filter, window, walk) =>
  withInputs(
    filter,
    filter.inputs.map((input) => (isStillStream(input) ? input : walk.within(input, window))),
  )

/** One entry for each filter that a step may name: a step whose filter has no rule does not compile. */
export const windowRules: Record<PictureFilter, WindowRule | 'whole only'> = {
  alphamerge: sameTime,
  ass: sameTime,
  blend: sameTime,
  // Reads one picture before and one behind, and treats the very first and last differently.
  bwdif: besides,
  chromakey: sameTime,
  color: sameTime,
  concat: joined,
  crop: sameTime,
  decimate: inCycles,
  // Only for single pictures.
  estdif: 'whole only',
  extractplanes: sameTime,
  // Has a rule only together with the `decimate` behind it.
  fieldmatch: 'whole only',
  format: sameTime,
  fps: steadied,
  gblur: sameTime,
  geq: sameTime,
  hflip: sameTime,
  hstack: sameTime,
  lut3d: notInParts,
  lutyuv: sameTime,
  negate: sameTime,
  overlay: overlaid,
  pad: sameTime,
  premultiply: sameTime,
  rotate: sameTime,
  scale: sameTime,
  // Has a rule only together with the `setpts` behind it, which numbers what is left.
  select: 'whole only',
  // Commands of the past are sent, in order, with the first picture.
  sendcmd: sameTime,
  setfield: sameTime,
  setparams: sameTime,
  setpts: retimed,
  setsar: sameTime,
  settb: sameTime,
  split: sameTime,
  tonemap: sameTime,
  tpad: sameTime,
  transpose: sameTime,
  trim: ended,
  unpremultiply: sameTime,
  vflip: sameTime,
  vidstabdetect: 'whole only',
  vidstabtransform: heldWhole,
  vstack: sameTime,
  zscale: sameTime,
}

function withInputs(
  { name, outputs, args, file }: Filter,
  inputs: readonly Stream[],
  changed: Filter['args'] = args,
): readonly Stream[] {
  return connect(name as PictureFilter, inputs, outputs, changed, file)
}

function besides(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const input = inputOf(filter)
  const wide = widened(walk.timesOf(input), window, { before: 2, behind: 2 })
  return withInputs(filter, [walk.within(input, wide)])
}

/**
 * Without a start of its own, the filter counts the slots of its grid from zero, and would fill them from there on in the
 * middle of a film.
 */
function steadied(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const input = inputOf(filter)
  const wide = widened(walk.timesOf(input), window)
  const phased = Object.fromEntries(
    Object.entries(filter.args).filter(([name]) => name !== 'start_time'),
  )
  return withInputs(filter, [walk.within(input, wide)], wide.from > 0 ? phased : filter.args)
}

/** Its table would have to be sent along with every part. */
function notInParts(): never {
  throw new PartRefusal('the request has a table of colours')
}

/** Each picture is moved by motion that was measured in all of them. */
function heldWhole(): never {
  throw new PartRefusal('its pictures are held still')
}

/** A quarter of a picture early, because half of one might be rounded to either side. */
function boundary(times: PictureTimes, place: number): number {
  return times.at(place - 0.25)
}

/** Ends at a time instead of after a number of pictures. */
function ended(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const input = inputOf(filter)
  if (isStillStream(input)) return [filterOutput(filter)]
  const times = walk.timesOf(input)
  if (!times?.rate) throw new PartRefusal('a step counts pictures that have no steady rate')
  const end = boundary(times, Number(filter.args.end_frame))
  // The picture that is repeated behind the end is the last one before it.
  const last = boundary(times, Number(filter.args.end_frame) - 2)
  const made = walk.within(input, {
    from: Math.min(window.from, last),
    to: Math.min(window.to, end),
  })
  return [trimmed(made, { from: Number.NEGATIVE_INFINITY, to: end })]
}

function filterOutput(filter: Filter): Stream<'video'> {
  return { kind: 'video', from: filter, pad: 0 }
}

function retimed(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const input = inputOf(filter)
  if (isStillStream(input)) return [filterOutput(filter)]
  const retiming = retimingOf(filter, (stream) => walk.timesOf(stream))
  switch (retiming.kind) {
    case 'numbered':
      return [keptPart(input, window, walk)]
    case 'moved': {
      const { later } = retiming
      const own = { from: window.from - later, to: window.to - later }
      const expr = later === 0 ? 'PTS' : `PTS+round(${later.toFixed(9)}/TB)`
      return [pipe(walk.within(input, own), 'setpts', { expr })]
    }
    case 'scaled': {
      const { speed } = retiming
      return withInputs(filter, [
        walk.within(input, { from: window.from * speed, to: window.to * speed }),
      ])
    }
    case 'repeated': {
      // Whole rounds before the window are left out.
      const { frames, seconds } = retiming
      const rounds = Math.max(0, Math.floor(window.from / seconds) - 1)
      const round = `floor(N/${frames})`
      const expr = String(filter.args.expr).replace(round, `(${round}+${rounds})`)
      return withInputs(filter, [walk.within(input, window)], { expr })
    }
    case 'from start':
      return withInputs(filter, [walk.within(input, window)])
  }
}

/** The pictures of a window as places on a steady grid. */
function placesIn({ from, to }: Window, times: PictureTimes): FrameSpan {
  const count = times.count ?? Number.POSITIVE_INFINITY
  const first = Math.max(0, times.lastUpTo(from) + 1)
  return { from: first, to: Number.isFinite(to) ? Math.min(count, times.lastUpTo(to) + 1) : count }
}

function windowOfPlaces({ from, to }: FrameSpan, times: PictureTimes): Window {
  const start = from === 0 ? Number.NEGATIVE_INFINITY : boundary(times, from)
  return { from: start, to: boundary(times, to) }
}

/** If two kept pictures are farther apart than this, the pictures between them are not decoded. */
const mostDecodedBetween = 50

/** What cuts keep, by the pictures before the cuts that make the window. */
function keptPart({ from: select }: Stream, window: Window, walk: Walk): Stream<'video'> {
  if (select.type === 'input') throw new PartRefusal('a step numbers pictures that were not cut')
  const uncut = inputOf(select)
  // Both sides of a transition are cut out of one stream, which a window would divide.
  if (uncut.from.type === 'filter' && uncut.from.name === 'split')
    throw new PartRefusal('parts of it are shown at once, in transitions')
  const times = walk.timesOf(uncut)
  const rate = times?.rate
  if (!times || !rate) throw new PartRefusal('a step cuts pictures that have no steady rate')
  const kept = keptIn(select, times)
  const places = placesIn(window, { ...times, count: totalLength(kept) })
  const spans = spansBeforeCuts([places], kept)
  const wanted = clampSpans(kept, { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 })
  const removed = subtractSpans([{ from: 0, to: times.count ?? 0 }], kept)
  const parts = merged(wanted, mostDecodedBetween).map((span) => {
    const own = windowOfPlaces(span, times)
    return pipeAll(trimmed(walk.within(uncut, own), own), [
      ['settb', { expr: `${rate.seconds}/${rate.frames}` }],
      ['select', { expr: keepExpression(removed, 'pts') }],
    ])
  })
  const numbered = parts.map((part) => pipe(part, 'setpts', { expr: 'N' }))
  return inPlace(parts.length === 1 ? parts : numbered, places.from, rate)
}

/** Pieces one after the other, beginning with this picture of the film. */
function inPlace(
  pieces: readonly Stream<'video'>[],
  first: number,
  rate: FrameRate,
): Stream<'video'> {
  const [only] = pieces
  if (!only) throw new PartRefusal('a part would have no pictures')
  const [made] =
    pieces.length === 1
      ? [only]
      : connect('concat', pieces, ['video'], { n: pieces.length, v: 1, a: 0 })
  return pipe(made, 'setpts', { expr: `round((N+${first})*${rate.seconds}/${rate.frames}/TB)` })
}

/** Joined clips: those in the window, each with its own part of it. */
function joined(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const clips = filter.inputs.filter(({ kind }) => kind === 'video')
  const times = walk.timesOf(filterOutput(filter))
  if (!times?.rate) throw new PartRefusal('clips are joined whose lengths are not known')
  const places = placesIn(window, times)
  let begin = 0
  const pieces = clips.flatMap((clip) => {
    const count = walk.timesOf(clip)?.count ?? 0
    const own = { from: Math.max(0, places.from - begin), to: Math.min(count, places.to - begin) }
    begin += count
    return own.from < own.to ? [pieceOf(clip, own, walk)] : []
  })
  return [inPlace(pieces, places.from, times.rate)]
}

function pieceOf(clip: Stream, places: FrameSpan, walk: Walk): Stream<'video'> {
  const times = walk.timesOf(clip)
  if (!times) throw new PartRefusal('clips are joined whose lengths are not known')
  const own = windowOfPlaces(places, times)
  return pipe(trimmed(walk.within(clip, own), own), 'setpts', { expr: 'PTS-STARTPTS' })
}

const enabledFrom = /gte\(t,(-?[\d.]+)\)/
const enabledTo = /lt\(t,(-?[\d.]+)\)/

function overlaid(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const [below, above] = filter.inputs
  if (!below || !above) throw new Error('An overlay lies between two pictures')
  const enable = String(filter.args.enable ?? '')
  const from = Number(enabledFrom.exec(enable)?.[1] ?? Number.NEGATIVE_INFINITY)
  const to = Number(enabledTo.exec(enable)?.[1] ?? Number.POSITIVE_INFINITY)
  if (to <= window.from || from >= window.to) {
    return [walk.within(beforeSplit(below, above), window)]
  }
  const ground = walk.within(below, window)
  if (isStillStream(above)) return withInputs(filter, [ground, above])
  // Both sides of a split have the same pictures; other inputs have a rhythm of their own.
  const wide = sharesSplit(below, above)
    ? window
    : { from: window.from - standsSeconds(above, walk), to: window.to + standsSeconds(above, walk) }
  return withInputs(filter, [ground, walk.within(above, wide)])
}

/** The stream that both the picture and the overlay are made from; if the overlay is left out, nothing is split. */
function beforeSplit(below: Stream, above: Stream): Stream {
  const { from } = below
  return from.type === 'filter' && from.name === 'split' && readsFrom(above, from)
    ? inputOf(from)
    : below
}

function readsFrom({ from }: Stream, filter: Filter): boolean {
  return (
    from.type === 'filter' &&
    (from === filter || from.inputs.some((input) => readsFrom(input, filter)))
  )
}

const leastStandsSeconds = 0.1

/** The longest time for which a picture of a moving element is shown. */
function standsSeconds(stream: Stream, walk: Walk): number {
  const rate = walk.timesOf(stream)?.rate
  return rate ? Math.max(leastStandsSeconds, (2 * rate.seconds) / rate.frames) : 1
}

function sharesSplit(one: Stream, other: Stream): boolean {
  const splits = (stream: Stream): Filter[] => {
    const { from } = stream
    if (from.type === 'input') return []
    return [...(from.name === 'split' ? [from] : []), ...from.inputs.flatMap(splits)]
  }
  const ofOne = new Set(splits(one))
  return splits(other).some((split) => ofOne.has(split))
}

/** The first pictures lack neighbours for `fieldmatch` and `bwdif`; after one cycle that makes no difference. */
const cyclesBefore = 2

/** `decimate` counts its cycles from the first picture that it is given. */
function inCycles(filter: Filter, { from, to }: Window, walk: Walk): readonly Stream[] {
  const input = inputOf(filter)
  const times = walk.timesOf(input)
  if (!times?.rate) throw new PartRefusal('film is restored from pictures that have no steady rate')
  const first =
    (Math.floor(Math.max(0, times.lastUpTo(from)) / cycleFrames) - cyclesBefore) * cycleFrames
  const end = (Math.ceil(times.lastUpTo(to) / cycleFrames) + cyclesBefore) * cycleFrames
  const own = {
    from: first <= 0 ? Number.NEGATIVE_INFINITY : boundary(times, first),
    to: Number.isFinite(to) ? boundary(times, end) : to,
  }
  return withInputs(filter, [exactly(input, own, walk)])
}

/** The filters between `fps` and `decimate`, from exactly this picture on. */
function exactly(stream: Stream, window: Window, walk: Walk): Stream<'video'> {
  const { from } = stream
  if (from.type === 'input' || from.inputs.length !== 1)
    throw new PartRefusal('film is restored in a way that has no rule')
  if (from.name === 'fps') return trimmed(walk.within(stream, window), window)
  const [made] = withInputs(from, [exactly(inputOf(from), window, walk)])
  if (made?.kind !== 'video') throw new Error(`"${from.name}" makes no picture`)
  return made as Stream<'video'>
}
