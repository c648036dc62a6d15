import type { Filter, InputFile, Stream } from '../../graph/filter-graph.ts'
import { keptSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { fpsOf, nearestRate, parseRate, type FrameRate } from '../../timeline/frame-rate.ts'
import { PartRefusal } from '../part-refusal.ts'
import {
  movedTimes,
  scaledTimes,
  steadyTimes,
  storedTimes,
  type PictureTimes,
} from './picture-times.ts'
import type { FileTables } from './window.ts'
import { totalLength } from '../../numbers/spans.ts'

/** How far a `setpts` moves the pictures, or what else it does to their times. */
type Retiming =
  | { readonly kind: 'moved'; readonly later: number }
  | { readonly kind: 'numbered' }
  | { readonly kind: 'scaled'; readonly speed: number }
  | { readonly kind: 'repeated'; readonly frames: number; readonly seconds: number }
  /** If the times of a file are not known, it is read from its start, so that its first picture is the first of all. */
  | { readonly kind: 'from start' }

const number = String.raw`(-?\d+(?:\.\d+)?)`
const late = new RegExp(String.raw`^round\(PTS-${number}/TB\)$`)
const scaled = new RegExp(String.raw`^round\(PTS/${number}-0\.0001/TB\)$`)
const fromStart = new RegExp(String.raw`^(?:round\()?PTS-STARTPTS(?:\+${number}/TB\))?$`)
const ticks = new RegExp(String.raw`^PTS\+${number}$`)
const repeated = new RegExp(String.raw`floor\(N/(\d+)\)\*${number}/TB`)

export function retimingOf(filter: Filter, timesOf: TimesOf): Retiming {
  const expr = String(filter.args.expr)
  const input = inputOf(filter)
  if (expr === 'round(N/FRAME_RATE/TB)') return { kind: 'numbered' }
  const lateBy = late.exec(expr)?.[1]
  if (lateBy !== undefined) return { kind: 'moved', later: -Number(lateBy) }
  const speed = scaled.exec(expr)?.[1]
  if (speed !== undefined) return { kind: 'scaled', speed: Number(speed) }
  const begins = fromStart.exec(expr)
  if (begins) {
    const first = timesOf(input)?.at(0)
    if (first === undefined) return { kind: 'from start' }
    return { kind: 'moved', later: Number(begins[1] ?? 0) - first }
  }
  const moved = ticks.exec(expr)?.[1]
  if (moved !== undefined) return { kind: 'moved', later: Number(moved) * tickOf(input) }
  const [, frames, seconds] = repeated.exec(expr) ?? []
  if (seconds !== undefined)
    return { kind: 'repeated', frames: Number(frames), seconds: Number(seconds) }
  throw new PartRefusal('a step moves its pictures in a way that has no rule')
}

/** Only a `settb` before it tells what a tick is. */
function tickOf({ from }: Stream): number {
  const tick = from.type === 'filter' && from.name === 'settb' ? from.args.expr : undefined
  const { frames, seconds } = parseRate(String(tick)) ?? { frames: 0, seconds: 0 }
  if (seconds === 0) throw new PartRefusal('a step counts in ticks of unknown length')
  return frames / seconds
}

export function inputOf({ name, inputs: [input] }: Filter): Stream {
  if (!input) throw new Error(`"${name}" has no input`)
  return input
}

type TimesOf = (stream: Stream) => PictureTimes | undefined

/** Tells when pictures are shown in the whole film; undefined for stills and files that are repeated. */
export function timesOfPictures(tables: FileTables): TimesOf {
  const known = new Map<InputFile | Filter, PictureTimes | undefined>()
  const timesOf: TimesOf = ({ from }) => {
    if (!known.has(from)) known.set(from, find(from))
    return known.get(from)
  }
  const find = (node: InputFile | Filter): PictureTimes | undefined => {
    if (node.type === 'input') {
      const table = isRepeated(node) ? undefined : tables.get(node.path)
      return table && storedTimes(table.times)
    }
    const [input] = node.inputs
    const before = input && timesOf(input)
    switch (baseName(node)) {
      case 'fps': {
        const rate = parseRate(String(node.args.fps))
        return rate && steadyTimes(rate, undefined, beginOf(node, rate, before))
      }
      case 'trim':
        return before?.rate && steadyTimes(before.rate, lessOf(before, node.args.end_frame))
      case 'tpad':
        return before?.rate ? steadyTimes(before.rate) : before
      case 'decimate':
        return before?.rate && steadyTimes(filmRate(before.rate), undefined, before.at(0))
      case 'concat':
        return joinedTimes(node, timesOf)
      case 'select':
        return undefined
      case 'setpts':
        return retimed(node, timesOf)
      default:
        return before
    }
  }
  return timesOf
}

/** Without a start of its own, the filter begins with the first picture that it is given. */
function beginOf({ args }: Filter, rate: FrameRate, before: PictureTimes | undefined): number {
  if (args.start_time !== undefined) return 0
  return before ? Math.round(before.at(0) * fpsOf(rate)) / fpsOf(rate) : 0
}

function lessOf({ count }: PictureTimes, frames: string | number | undefined): number {
  return Math.min(count ?? Number.POSITIVE_INFINITY, Number(frames))
}

/** `decimate` drops one picture of five. */
export const cycleFrames = 5

function filmRate(rate: FrameRate): FrameRate {
  return nearestRate((fpsOf(rate) * (cycleFrames - 1)) / cycleFrames)
}

function joinedTimes({ inputs }: Filter, timesOf: TimesOf): PictureTimes | undefined {
  const clips = inputs.filter(({ kind }) => kind === 'video').map(timesOf)
  const count = clips.reduce((sum, clip) => sum + (clip?.count ?? Number.NaN), 0)
  const rate = clips[0]?.rate
  return rate && Number.isFinite(count) ? steadyTimes(rate, count) : undefined
}

function retimed(filter: Filter, timesOf: TimesOf): PictureTimes | undefined {
  const retiming = retimingOf(filter, timesOf)
  const input = inputOf(filter)
  if (retiming.kind === 'moved') {
    const times = timesOf(input)
    return times && movedTimes(times, retiming.later)
  }
  if (retiming.kind === 'scaled') {
    const times = timesOf(input)
    return times && scaledTimes(times, retiming.speed)
  }
  if (retiming.kind !== 'numbered' || input.from.type !== 'filter') return undefined
  const uncut = timesOf(inputOf(input.from))
  return uncut?.rate && steadyTimes(uncut.rate, totalLength(keptIn(input.from, uncut)))
}

/** The frames that a `select` of cuts keeps: its expression names the beginning and the end of everything that is removed. */
export function keptIn({ args }: Filter, { count }: PictureTimes): FrameSpan[] {
  const bounds = [...String(args.expr).matchAll(/lt\(n,(\d+)\)/g)].map(([, at]) => Number(at))
  if (count === undefined || bounds.length % 2 === 1)
    throw new PartRefusal('a step selects pictures in a way that has no rule')
  bounds.sort((a, b) => a - b)
  const removed = bounds.flatMap((from, i) =>
    i % 2 === 0 ? [{ from, to: bounds[i + 1] ?? 0 }] : [],
  )
  return keptSpans(removed, count)
}

/** The name without that of the instance: `lutyuv` of `lutyuv@element0`. */
export function baseName({ name }: Filter): string {
  return name.split('@')[0] ?? name
}

function isStill({ demuxer }: InputFile): boolean {
  return demuxer === 'png_pipe' || demuxer === 'jpeg_pipe'
}

/** Whether it is read from its start: a GIF is short, and a file that is repeated has no table. */
export function isRepeated(file: InputFile): boolean {
  return file.reading.includes('-stream_loop') || file.demuxer === 'gif' || isStill(file)
}

export function isStillStream({ from }: Stream): boolean {
  return from.type === 'input' ? isStill(from) : from.inputs.every(isStillStream)
}
