import type { PacketStatistics } from './packet-statistics.ts'
import type { ToolContext } from './run-tool.ts'
import { scanPackets, type PacketRequest } from './scan-packets.ts'

export type StreamEnd = {
  /** From the start of the file to the end of the last packet. */
  readonly endSeconds: number
  /** How many packets there are; known only when all were read. */
  readonly packets: number | undefined
}

export type EndRequest = PacketRequest & {
  /** What the header says, if it says anything. */
  readonly claimedSeconds: number | undefined
  /** All packets of the stream, read when they are first asked for. */
  readonly allPackets: () => Promise<PacketStatistics>
  /** They have been read already. */
  readonly isRead: boolean
}

/** The header is believed when the packets near its end agree. */
const tailSeconds = 5
const exactSeconds = 0.05

/**
 * When the media really ends. A header may claim days for a second of video, or more than a cut-off file holds, or
 * nothing at all: then every packet is read.
 */
export async function findEnd(context: ToolContext, request: EndRequest): Promise<StreamEnd> {
  const { claimedSeconds, startSeconds, allPackets, isRead } = request
  if (claimedSeconds !== undefined && claimedSeconds > 0) {
    const from = startSeconds + Math.max(0, claimedSeconds - tailSeconds)
    const tail = isRead
      ? await allPackets()
      : await scanPackets(context, request, `${from.toFixed(3)}%`)
    // The last packet may have no length of its own: a small difference means nothing.
    const isTrue = [tail.last, tail.end].some(
      (end) => Math.abs(end - startSeconds - claimedSeconds) < exactSeconds,
    )
    if (isTrue) return { endSeconds: claimedSeconds, packets: undefined }
  }
  const all = await allPackets()
  return { endSeconds: Math.max(0, all.end - startSeconds), packets: all.count }
}
