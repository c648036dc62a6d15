import { JobError } from '../../errors/job-error.ts'
import { guardedInput } from '../../graph/compile-args.ts'
import { beyondLimit, sourceLimits } from '../../claims/source-limits.ts'
import { PacketStatistics } from './packet-statistics.ts'
import {
  describedEntries,
  probeEntries,
  readFormat,
  readPacket,
  readStream,
  type ProbedFormat,
  type ProbedPacket,
  type ProbedStream,
} from './probe-output.ts'
import { readSections, type ProbeSection } from './probe-sections.ts'
import { runTool, type ToolContext } from '../process/run-tool.ts'

/** A file with at most this many packets is read to its end at the first look. */
const fewPackets = 5_000
const smallBytes = 8 * 1024 ** 2
/** A few packets show whether the streams are encrypted. */
const firstPackets = 20

type ProbeRequest = {
  readonly path: string
  readonly field: string
  readonly demuxer: string
  readonly sizeBytes: number
  /** The header is believed, so the packets need not be read. */
  readonly isBelieved: boolean
  /** Called with each stream as ffprobe describes it, with more properties than others need. */
  readonly onStream?: ((stream: ProbeSection) => void) | undefined
}

export type Probed = {
  readonly streams: readonly ProbedStream[]
  readonly format: ProbedFormat
  /** The first packets of the file, of all streams. */
  readonly packets: readonly ProbedPacket[]
  /** Whether these are all packets of the file. */
  readonly isWhole: boolean
}

/** Takes the first look at a file: its streams, the length it claims, and its first packets. */
export async function probeFile(tools: ToolContext, request: ProbeRequest): Promise<Probed> {
  const { path, field, demuxer, sizeBytes, isBelieved, onStream } = request
  const mostPackets = sizeBytes > smallBytes || isBelieved ? firstPackets : fewPackets
  const seen = collectSections(field, onStream)
  const entries = onStream ? `${probeEntries}:${describedEntries}` : probeEntries
  const run = await runTool(
    tools,
    'ffprobe',
    [
      ...['-hide_banner', '-v', 'error', '-show_entries', entries],
      ...['-read_intervals', `%+#${mostPackets}`, '-of', 'compact', ...guardedInput(path, demuxer)],
    ],
    seen.onStdout,
  )
  seen.finish()
  const { format, streams, packets } = seen
  if (run.exitCode !== 0 || !format.read) {
    throw new JobError('source_undecodable', `${field}: the file is damaged or incomplete.`, {
      cause: new Error(run.stderrTail),
    })
  }
  return { streams, packets, format: format.read, isWhole: packets.length < mostPackets }
}

function collectSections(field: string, onStream?: (stream: ProbeSection) => void) {
  const streams: ProbedStream[] = []
  const packets: ProbedPacket[] = []
  const format: { read?: ProbedFormat | undefined } = {}
  let chars = 0
  const { feed, finish } = readSections((section) => {
    if (section.kind === 'packet') packets.push(readPacket(section))
    if (section.kind === 'format') format.read = readFormat(section)
    if (section.kind === 'stream') onStream?.(section)
    const stream = section.kind === 'stream' ? readStream(section) : undefined
    if (stream) streams.push(stream)
    if (streams.length > sourceLimits.streams) {
      throw beyondLimit({ field }, 'streams', sourceLimits.streams)
    }
  })
  const onStdout = (chunk: string): boolean => {
    chars += chunk.length
    if (chars > sourceLimits.descriptionChars) {
      throw beyondLimit({ field }, 'characters of description', sourceLimits.descriptionChars)
    }
    feed(chunk)
    return true
  }
  return { streams, packets, format, onStdout, finish }
}

export function statisticsOf(
  packets: readonly ProbedPacket[],
  streamIndex: number,
): PacketStatistics {
  const statistics = new PacketStatistics()
  for (const packet of packets) if (packet.streamIndex === streamIndex) statistics.add(packet)
  return statistics
}
