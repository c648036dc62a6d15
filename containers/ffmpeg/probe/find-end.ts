import type { PacketStatistics } from './packet-statistics.ts'
import type { ToolContext } from '../process/run-tool.ts'
import { scanPackets, type PacketRequest } from './scan-packets.ts'

export type StreamEnd = {
  /** From the start of the file to the end of the last packet. */
  readonly endSeconds: number
  /** The number of packets; known only if all of them were read. */
  readonly packets: number | undefined
}

export type EndRequest = PacketRequest & {
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
export async function findEnd(context: ToolContext, request: EndRequest): Promise<StreamEnd> {
  const { claimedSeconds, startSeconds, allPackets, isRead } = request
  if (claimedSeconds !== undefined && claimedSeconds > 0) {
    const from = startSeconds + Math.max(0, claimedSeconds - tailSeconds)
    const tail = isRead
      ? await allPackets()
      : await scanPackets(context, request, `${from.toFixed(3)}%`)
    // The last packet may not give its length, so either end may match.
    const isTrue = [tail.last, tail.end].some(
      (end) => Math.abs(end - startSeconds - claimedSeconds) < exactSeconds,
    )
    if (isTrue) return { endSeconds: claimedSeconds, packets: undefined }
  }
  const all = await allPackets()
  return { endSeconds: Math.max(0, all.end - startSeconds), packets: all.count }
}
