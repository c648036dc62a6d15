import { z } from 'zod'
import { closedObject } from '../../contract/input/closed-object.ts'
import { videoId } from '../../contract/ids.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { sayVideo } from '../say/say-video.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import { capped } from '../schema/json-schema.ts'
import { videoResult } from '../schema/result-schemas.ts'
import { checkedTool } from '../checked-tool.ts'
import type { AgentToolContext } from '../tool.ts'
import { sayLeft } from '../../contract/video/say-left.ts'

/** Less than the minute after which most clients give up on a tool. */
const longestWaitSeconds = 25
const usualWaitSeconds = 20

const input = closedObject({
  videoId,
  waitSeconds: capped(z.number(), 0, longestWaitSeconds)
    .default(usualWaitSeconds)
    .describe('How long to wait for the end; 0 answers at once'),
})

export const getVideo = checkedTool(input, {
  name: 'get_video',
  title: 'Follow a video',
  description:
    'Reads a video: its status and progress, and once it has succeeded the links to its files. Waits up to waitSeconds for the end, so call it again until the status is succeeded, failed or canceled.',
  outputSchema: videoResult,
  hints: { readOnlyHint: true, idempotentHint: true },
  async run({ videoId, waitSeconds }, context) {
    const answer = await context.ask({ route: 'getVideo', at: { videoId } })
    if (!answer.ok) return tellRefusal(answer)
    const now = await answer.json<VideoRecord>()
    if (waitSeconds === 0 || isTerminal(now.status)) return sayVideo(now)
    return sayVideo((await waitFor(videoId, waitSeconds, context)) ?? now)
  },
})

/** The record as last seen; undefined if the video cannot be followed now, as when it has too many followers. */
async function waitFor(
  videoId: string,
  waitSeconds: number,
  context: AgentToolContext,
): Promise<VideoRecord | undefined> {
  const events = await context.ask({ route: 'followVideo', at: { videoId } })
  return events.ok ? untilEnd(events, waitSeconds * 1000, context) : undefined
}

type ReadImage = () => Promise<Uint8Array | undefined>

/**
 * Reads the events of a video until it ends, the time is over or the client has gone, and reports each step. Returns the
 * last record that it read.
 */
async function untilEnd(
  events: Response,
  ms: number,
  { report, signal }: Pick<AgentToolContext, 'report' | 'signal'>,
): Promise<VideoRecord | undefined> {
  const body: ReadableStream<Uint8Array> | null = events.body
  if (!body) return undefined
  const reader = body.getReader()
  const over = Promise.withResolvers<undefined>()
  const leave = () => over.resolve(undefined)
  const timer = setTimeout(leave, ms)
  signal.addEventListener('abort', leave)
  let last: VideoRecord | undefined
  try {
    const read: ReadImage = async () => (await Promise.race([reader.read(), over.promise]))?.value
    for await (const record of recordsIn(read)) {
      last = record
      const doing = [record.phase ?? record.status, sayLeft(record)]
      await report(record.progressPercent, doing.filter(Boolean).join(', '))
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    await reader.cancel()
  }
  return last
}

/** The record of every event. Comments only keep the connection open. */
async function* recordsIn(read: ReadImage): AsyncGenerator<VideoRecord> {
  const decoder = new TextDecoder()
  let unread = ''
  for (let bytes = await read(); bytes; bytes = await read()) {
    const blocks = (unread + decoder.decode(bytes, { stream: true })).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      // The service itself has written the record.
      if (data !== undefined) yield JSON.parse(data) as VideoRecord
    }
  }
}
