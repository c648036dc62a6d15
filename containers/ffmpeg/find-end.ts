import { guardedInput } from './compile-args.ts'
import { linesOf } from './lines-of.ts'
import { rhythmOf } from './picture-rhythm.ts'
import type { ProbedPacket } from './probe-output.ts'
import { runTool, type ToolContext } from './run-tool.ts'

export type StreamEnd = {
  /** From the start of the file to the end of the last packet. */
  readonly endSeconds: number
  /** How many packets there are; known only when all were read. */
  readonly packets: number | undefined
}

export type EndRequest = {
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  readonly startSeconds: number
  /** What the header says, if it says anything. */
  readonly claimedSeconds: number | undefined
  /** All packets of the file, where they have been read already. */
  readonly packets?: readonly ProbedPacket[] | undefined
}

/** The header is believed when the packets near its end agree. */
const tailSeconds = 5
const exactSeconds = 0.05

/**
 * When the media really ends. A header may claim days for a second of video, or more than a cut-off file holds, or
 * nothing at all: then every packet is read.
 */
export async function findEnd(context: ToolContext, request: EndRequest): Promise<StreamEnd> {
  const { claimedSeconds, startSeconds } = request
  const known = request.packets && scanKnown(request.packets, request.streamIndex)
  if (claimedSeconds !== undefined && claimedSeconds > 0) {
    const from = startSeconds + Math.max(0, claimedSeconds - tailSeconds)
    const interval = ['-read_intervals', `${from.toFixed(3)}%`]
    const tail = known ?? (await scanPackets(context, request, interval))
    // The last packet may have no length of its own: a small difference means nothing.
    const isTrue = [tail.last, endOf(tail)].some(
      (end) => Math.abs(end - startSeconds - claimedSeconds) < exactSeconds,
    )
    if (isTrue) return { endSeconds: claimedSeconds, packets: undefined }
  }
  const all = known ?? (await scanPackets(context, request, []))
  return { endSeconds: Math.max(0, endOf(all) - startSeconds), packets: all.count }
}

type Scan = {
  /** End of the last packet, as far as packets say how long they are. */
  last: number
  count: number
  /** Of packets that do not. */
  lastOpenStart: number
  starts: number[]
}

const nothingSeen = (): Scan => ({
  last: Number.NEGATIVE_INFINITY,
  count: 0,
  lastOpenStart: Number.NEGATIVE_INFINITY,
  starts: [],
})

/** A last packet that does not say how long it is takes as long as most of its stream. */
function endOf(scan: Scan): number {
  if (scan.lastOpenStart < scan.last) return scan.last
  return scan.last + (rhythmOf(scan.starts)?.usualSeconds ?? 0)
}

function scanKnown(packets: readonly ProbedPacket[], streamIndex: number): Scan {
  const scan = nothingSeen()
  for (const packet of packets) {
    if (packet.stream_index === streamIndex) addPacket(scan, packet)
  }
  return scan
}

async function scanPackets(
  context: ToolContext,
  { path, demuxer, streamIndex }: EndRequest,
  interval: readonly string[],
): Promise<Scan> {
  const scan = nothingSeen()
  const feed = linesOf((line) => addPacket(scan, packetOf(line)))
  const args = [
    ...['-v', 'error', ...interval, '-select_streams', String(streamIndex)],
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time,flags', '-of', 'compact=p=0'],
    ...guardedInput(path, demuxer),
  ]
  await runTool(context, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  return scan
}

type PacketTimes = Pick<ProbedPacket, 'pts_time' | 'dts_time' | 'duration_time' | 'flags'>

/** `D` marks what an edit list leaves out. */
function addPacket(
  scan: Scan,
  { pts_time, dts_time, duration_time = 0, flags }: PacketTimes,
): void {
  const at = pts_time ?? dts_time
  if (at === undefined || flags.includes('D')) return
  scan.count += 1
  scan.last = Math.max(scan.last, at + duration_time)
  scan.starts.push(at)
  if (duration_time === 0) scan.lastOpenStart = Math.max(scan.lastOpenStart, at)
}

/** `pts_time=0.04|dts_time=0.04|duration_time=0.04|flags=K_` */
function packetOf(line: string): PacketTimes {
  const fields = new Map(line.split('|').map((field) => splitOnce(field)))
  const seconds = (name: string): number | undefined => {
    const value = Number(fields.get(name))
    return Number.isFinite(value) ? value : undefined
  }
  return {
    pts_time: seconds('pts_time'),
    dts_time: seconds('dts_time'),
    duration_time: seconds('duration_time'),
    flags: fields.get('flags') ?? '',
  }
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return [field.slice(0, at), field.slice(at + 1)]
}
