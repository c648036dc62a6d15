import { guardedInput } from '../../graph/compile-args.ts'
import {
  beyondLimit,
  repeatsItself,
  sourceLimits,
  tooLong,
  type HeldFile,
} from '../../claims/source-limits.ts'
import { linesOf } from '../process/lines-of.ts'
import { PacketStatistics } from './packet-statistics.ts'
import { runTool, type ToolContext } from '../process/run-tool.ts'
import { probedNumber } from './probe-output.ts'

type PacketRequest = {
  /** Name inside the job folder. */
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  readonly startSeconds: number
  /** Undefined for files that our own ffmpeg made: their length is not limited. */
  readonly held: HeldFile | undefined
}

/** Reads the packets of a stream without decoding them. It stops reading a file that exceeds a limit. */
export async function scanPackets(
  tools: ToolContext,
  { path, demuxer, streamIndex, startSeconds, held }: PacketRequest,
  /** As for ffprobe's `-read_intervals`; the whole file if absent. */
  interval?: string,
): Promise<PacketStatistics> {
  const statistics = new PacketStatistics()
  let bytes = 0
  const feed = linesOf((line) => {
    const packet = packetOf(line)
    if (!packet) return
    statistics.add(packet)
    bytes += packet.sizeBytes
    if (held) hold(held, { statistics, startSeconds, bytes })
  })
  const args = [
    ...['-v', 'error', ...(interval === undefined ? [] : ['-read_intervals', interval])],
    ...['-select_streams', String(streamIndex)],
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time,size,flags', '-of', 'csv=p=0'],
    ...guardedInput(path, demuxer),
  ]
  await runTool(tools, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  return statistics
}

/** The overhead of the container, and anything that the header of a very small file leaves out. */
const spareBytes = 1024 ** 2

type ScannedPackets = { statistics: PacketStatistics; startSeconds: number; bytes: number }

function hold(held: HeldFile, { statistics, startSeconds, bytes }: ScannedPackets): void {
  const most = held.maxPackets ?? sourceLimits.packets
  if (statistics.count > most) {
    throw beyondLimit(held, 'pieces of picture or sound in one stream', most)
  }
  const seconds = statistics.last - startSeconds
  if (seconds > held.maxSeconds) throw tooLong(held, seconds)
  if (bytes > held.sizeBytes * sourceLimits.repeatedBytes + spareBytes) throw repeatsItself(held)
}

/** Parses `0.04,0.04,0.04,979,K_`; returns undefined for lines of other sections. */
function packetOf(line: string) {
  const [pts, dts, duration, size, flags = ''] = line.split(',')
  if (size === undefined) return undefined
  return {
    pts: probedNumber(pts),
    dts: probedNumber(dts),
    duration: probedNumber(duration),
    sizeBytes: probedNumber(size) ?? 0,
    // `D` marks a packet that an edit list leaves out.
    isDiscarded: flags.includes('D'),
  }
}

export type StreamEnd = {
  /** From the start of the file to the end of the last packet. */
  readonly endSeconds: number
  /** The number of packets; known only if all of them were read. */
  readonly packets: number | undefined
}

type EndRequest = PacketRequest & {
  /** The length that the header gives, if any. */
  readonly claimedSeconds: number | undefined
  /** Reads all packets of the stream, on the first call only. */
  readonly allPackets: () => Promise<PacketStatistics>
  /** Whether `allPackets` has read them already. */
  readonly isRead: boolean
}

/** The header is believed if the packets within `tailSeconds` of its end agree with it. */
const tailSeconds = 5
const exactSeconds = 0.05

/**
 * Finds when the media really ends. A header may claim days for a second of video, claim more than a truncated file
 * holds, or give no length at all: then every packet is read.
 */
export async function findEnd(tools: ToolContext, request: EndRequest): Promise<StreamEnd> {
  const { claimedSeconds, startSeconds, allPackets, isRead } = request
  if (claimedSeconds !== undefined && claimedSeconds > 0) {
    const from = startSeconds + Math.max(0, claimedSeconds - tailSeconds)
    const tail = isRead
      ? await allPackets()
      : await scanPackets(tools, request, `${from.toFixed(3)}%`)
    // The last packet may not give its length, so either end may match.
    const isTrue = [tail.last, tail.end].some(
      (end) => Math.abs(end - startSeconds - claimedSeconds) < exactSeconds,
    )
    if (isTrue) return { endSeconds: claimedSeconds, packets: undefined }
  }
  const all = await allPackets()
  return { endSeconds: Math.max(0, all.end - startSeconds), packets: all.count }
}
