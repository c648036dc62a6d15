import { guardedInput } from './compile-args.ts'
import { linesOf } from './lines-of.ts'
import type { ProbedPacket } from './probe-output.ts'
import { runTool, type ToolContext } from './run-tool.ts'

/** How the pictures of a stream follow one another. */
export type Rhythm = {
  readonly pictures: number
  /** Between two pictures, in the middle of all such times: what motion is shown at, however long nothing moves. */
  readonly usualSeconds: number
  readonly isSteady: boolean
  /** A picture stands for several others, as on the recording of a screen. */
  readonly hasGaps: boolean
}

type RhythmRequest = {
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  /** All packets of the file, where they have been read already. */
  readonly packets: readonly ProbedPacket[] | undefined
}

/** Reads the times of all pictures, without decoding any; undefined when they have none, or there is only one. */
export async function findRhythm(
  context: ToolContext,
  { path, demuxer, streamIndex, packets }: RhythmRequest,
): Promise<Rhythm | undefined> {
  if (packets) return rhythmOf(timesIn(packets, streamIndex))
  const times: number[] = []
  const feed = linesOf((line) => {
    const [time = '', flags = ''] = line.split(',')
    const at = Number.parseFloat(time)
    // `D` marks what an edit list leaves out.
    if (Number.isFinite(at) && !flags.includes('D')) times.push(at)
  })
  const args = [
    ...['-v', 'error', '-select_streams', String(streamIndex)],
    ...['-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'],
    ...guardedInput(path, demuxer),
  ]
  await runTool(context, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  return rhythmOf(times)
}

function timesIn(packets: readonly ProbedPacket[], streamIndex: number): number[] {
  return packets.flatMap(({ stream_index, pts_time, flags }) =>
    stream_index !== streamIndex || pts_time === undefined || flags.includes('D') ? [] : [pts_time],
  )
}

/** Times in WebM are whole milliseconds, so that two of them are off by one between them. */
const roundingSeconds = 0.0011
const gapFactor = 3

/** In any order: pictures are stored as they are decoded. */
export function rhythmOf(times: readonly number[]): Rhythm | undefined {
  const sorted = Float64Array.from(times).sort()
  const steps = new Float64Array(Math.max(0, sorted.length - 1))
  for (let i = 0; i < steps.length; i++) steps[i] = (sorted[i + 1] ?? 0) - (sorted[i] ?? 0)
  steps.sort()
  const usualSeconds = steps[steps.length >> 1]
  const shortest = steps[0]
  const longest = steps.at(-1)
  if (!usualSeconds || shortest === undefined || longest === undefined) return undefined
  return {
    pictures: sorted.length,
    usualSeconds,
    isSteady: longest - shortest <= 2 * roundingSeconds,
    hasGaps: longest > usualSeconds * gapFactor,
  }
}
