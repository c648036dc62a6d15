import { guardedInput } from './compile-args.ts'
import { linesOf } from './lines-of.ts'
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
  /** One stream; all of them when absent. */
  readonly streamIndex?: number
  readonly startSeconds: number
  /** What the header says, if it says anything. */
  readonly claimedSeconds: number | undefined
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
  if (claimedSeconds !== undefined && claimedSeconds > 0) {
    const from = startSeconds + Math.max(0, claimedSeconds - tailSeconds)
    const tail = await scanPackets(context, request, ['-read_intervals', `${from.toFixed(3)}%`])
    // The last packet may have no length of its own: a small difference means nothing.
    const isTrue = Math.abs(tail.last - startSeconds - claimedSeconds) < exactSeconds
    if (isTrue) return { endSeconds: claimedSeconds, packets: undefined }
  }
  const all = await scanPackets(context, request, [])
  return { endSeconds: Math.max(0, all.last - startSeconds), packets: all.count }
}

type Scan = { last: number; count: number }

async function scanPackets(
  context: ToolContext,
  { path, demuxer, streamIndex }: EndRequest,
  interval: readonly string[],
): Promise<Scan> {
  const scan: Scan = { last: Number.NEGATIVE_INFINITY, count: 0 }
  const feed = linesOf((line) => addPacket(scan, line))
  const args = [
    ...['-v', 'error', ...interval],
    ...(streamIndex === undefined ? [] : ['-select_streams', String(streamIndex)]),
    ...['-show_entries', 'packet=pts_time,dts_time,duration_time,flags', '-of', 'compact=p=0'],
    ...guardedInput(path, demuxer),
  ]
  await runTool(context, 'ffprobe', args, (chunk) => {
    feed(chunk)
    return true
  })
  return scan
}

/** `pts_time=0.04|dts_time=0.04|duration_time=0.04|flags=K_`; `D` marks what an edit list leaves out. */
function addPacket(scan: Scan, line: string): void {
  const fields = new Map(line.split('|').map((field) => splitOnce(field)))
  if (fields.get('flags')?.includes('D')) return
  const times = [fields.get('pts_time'), fields.get('dts_time')].map(Number)
  const at = times.find((time) => Number.isFinite(time))
  if (at === undefined) return
  const duration = Number(fields.get('duration_time'))
  scan.count += 1
  scan.last = Math.max(scan.last, at + (Number.isFinite(duration) ? duration : 0))
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return [field.slice(0, at), field.slice(at + 1)]
}
