import { availableParallelism } from 'node:os'
import { atMost } from '../../errors/at-most.ts'
import { readTracks } from '../../cuts/proof/prove-film.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import {
  beginningAt,
  filesInRow,
  pipeAll,
  streamOf,
  type Stream,
} from '../../graph/filter-graph.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import { trackOf, settingOf, type OutputTrack } from '../../graph/output-track.ts'
import { mostRoundingSeconds } from '../../timeline/frame-rate.ts'
import type { Span } from '../../numbers/spans.ts'

/** A sound that is encoded as several ranges, each by a run of its own. */
export type DividedSound = {
  readonly track: OutputTrack
  readonly format: RenderPlan['format']
  readonly sampleRate: number
  readonly packetSamples: number
  /** How many samples of its own the encoder puts before the sound. */
  readonly delaySamples: number
  /** Of packets; the last range goes on to the end of the sound. */
  readonly ranges: readonly Span[]
}

type RangedPlan = Pick<RenderPlan, 'tracks' | 'audio' | 'format' | 'durationSeconds'>

/** Encoders whose packets do not depend on how the packets before them were coded, or only for a moment. */
const encoders = new Map([
  ['aac', { packetSamples: 1_024, delaySamples: 1_024 }],
  ['libopus', { packetSamples: 960, delaySamples: 312 }],
])
/**
 * An encoder depends on what it has coded before. After this long it codes as finely as in the whole sound: AAC with only four
 * packets before it is 4 to 6 dB worse.
 */
const warmUpSeconds = 20
/** An encoder looks at samples behind a packet before it codes it. */
const packetsBehind = 2
const leastRangeSeconds = 90
/** Few, because each run decodes the sound from its beginning. */
const mostRanges = 4

/** How a sound is divided among the cores of this machine; undefined if it stays whole. */
export function divideSound(
  { tracks, audio, format, durationSeconds }: RangedPlan,
  cores = availableParallelism(),
): DividedSound | undefined {
  const track = trackOf(tracks, 'audio')
  if (!track || audio !== 'encode') return undefined
  const encoder = encoders.get(settingOf(track.coding, '-c:a') ?? '')
  const number = Math.min(cores, mostRanges, Math.floor(durationSeconds / leastRangeSeconds))
  if (!encoder || number < 2) return undefined
  const sampleRate = Number(settingOf(track.coding, '-ar'))
  const packets = (durationSeconds * sampleRate) / encoder.packetSamples
  const ranges = Array.from({ length: number }, (_, i) => ({
    from: Math.round((i * packets) / number),
    to: Math.round(((i + 1) * packets) / number),
  }))
  return { track, format, sampleRate, ...encoder, ranges }
}

/** Encodes all ranges at once and joins their packets in one file. Throws if these are not the packets of one sound. */
export async function encodeRanges(
  tools: ToolContext,
  sound: DividedSound,
  name: string,
): Promise<void> {
  const { format, ranges } = sound
  const files = ranges.map((_, i) => `parts-sound-${i}.${format}`)
  await atMost(files.length, [...files.entries()], tools.signal, async ([i, file], signal) =>
    encodeRange({ ...tools, signal }, sound, { file, i }),
  )
  const start = await startOf(tools, sound, files)
  const rows = files.map((path, i) => ({ path, seconds: rangeSeconds(sound, i) }))
  const row = filesInRow('parts-sound.row', demuxers[format], rows)
  const reading = [...row.reading, ...beginningAt(start)]
  const stream = streamOf({ ...row, reading }, 'audio', 0)
  await writeSound(tools, { stream, coding: ['-c:a', 'copy'] }, { format, name })
  const fault = await faultOfSound(tools, sound, name)
  if (fault !== undefined) throw new Error(fault)
}

/** How long after a range the next one begins. MP4 and MOV count from the second packet: the first only warms decoders up. */
function rangeSeconds(sound: DividedSound, i: number): number {
  const { format, packetSamples, sampleRate, ranges } = sound
  const { from, to } = ranges[i] ?? { from: 0, to: 0 }
  const hidden = i === 0 && format !== 'webm' ? 1 : 0
  return ((Number.isFinite(to) ? to - from - hidden : 1) * packetSamples) / sampleRate
}

/** When the sound begins. Throws if a range is too early or too late for that. */
async function startOf(
  tools: ToolContext,
  { format }: DividedSound,
  files: readonly string[],
): Promise<number> {
  const starts: number[] = []
  for (const file of files) {
    const start = (await readTracks(tools, file, format)).get(0)?.start ?? Number.NaN
    starts.push(start)
    if (!(Math.abs(start - (starts[0] ?? 0)) <= 2 * mostRoundingSeconds))
      throw new Error('A range of the sound begins at another time, or has none')
  }
  return starts[0] ?? 0
}

/** Writes one sound into a file of its own. */
export async function writeSound(
  tools: ToolContext,
  track: OutputTrack,
  { format, name }: { format: RenderPlan['format']; name: string },
): Promise<void> {
  const muxing = ['-fflags', '+bitexact', '-f', format]
  await runGraph(tools, { tracks: [track], muxing, path: name })
}

async function encodeRange(
  tools: ToolContext,
  { track, format, sampleRate, packetSamples, delaySamples, ranges }: DividedSound,
  { file, i }: { file: string; i: number },
): Promise<void> {
  const { from, to } = ranges[i] ?? { from: 0, to: 0 }
  const isLast = i === ranges.length - 1
  const before = Math.min(from, Math.ceil((warmUpSeconds * sampleRate) / packetSamples))
  const span = {
    start_sample: (from - before) * packetSamples,
    ...(isLast ? {} : { end_sample: (to + packetsBehind) * packetSamples }),
  }
  // Resampled before it is cut, as the whole sound is.
  const stream = pipeAll(track.stream as Stream<'audio'>, [
    ['aformat', { sample_rates: sampleRate }],
    ['atrim', span],
  ])
  const dropped = [`lt(n\\,${before})`, ...(isLast ? [] : [`gte(n\\,${before + to - from})`])]
  // All files begin at the same time: if one does not, ffmpeg does not read how long its last packet lasts.
  const late = i === 0 ? 0 : from * packetSamples - delaySamples
  const filters = `noise=drop=${dropped.join('+')},setts=ts=TS-${late}`
  const coding = [...track.coding, '-bsf:a', filters]
  await writeSound(tools, { stream, coding }, { format, name: file })
}

/** How much is decoded on either side of a seam. */
const besideSeamSeconds = 0.25

/** Undefined if every place has a packet, and a decoder reads those at the seams without complaints. */
async function faultOfSound(
  tools: ToolContext,
  { format, packetSamples, sampleRate, ranges }: DividedSound,
  name: string,
): Promise<string | undefined> {
  const { shownAt } = await readPackets(tools, name, { format, video: { index: 0 } })
  const first = shownAt[0] ?? 0
  const step = packetSamples / sampleRate
  const gap = shownAt.findIndex(
    (at, i) => !(Math.abs(at - first - i * step) <= mostRoundingSeconds),
  )
  if (gap >= 0) return `the sound has a gap at ${(gap * step).toFixed(3)} s`
  for (const { from } of ranges.slice(1)) {
    const at = from * step
    if (from >= shownAt.length) return `the sound ends before ${at.toFixed(3)} s`
    const { exitCode, stderrTail } = await readTool(tools, 'ffmpeg', [
      ...[...guardedGlobals, '-ss', (at - besideSeamSeconds).toFixed(6)],
      ...guardedInput(name, demuxers[format]),
      ...['-t', String(2 * besideSeamSeconds), '-f', 'null', '-'],
    ])
    if (exitCode !== 0 || stderrTail !== '')
      return `the decoder complains about the sound at ${at.toFixed(3)} s`
  }
  return undefined
}
