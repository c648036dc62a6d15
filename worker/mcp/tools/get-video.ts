import { z } from 'zod'
import { closedObject } from '../../contract/input/closed-object.ts'
import { videoId } from '../../contract/ids.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { sayVideo } from '../say/say-video.ts'
import { tellFaults, tellRefusal } from '../say/tell-refusal.ts'
import { capped, toToolSchema } from '../schema/json-schema.ts'
import { videoResult } from '../schema/result-schemas.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { untilEnd } from '../until-end.ts'

/** Below the minute after which most clients give a tool up. */
const longestWaitSeconds = 25
const usualWaitSeconds = 20

const input = closedObject({
  videoId,
  waitSeconds: capped(z.number(), 0, longestWaitSeconds)
    .default(usualWaitSeconds)
    .describe('How long to wait for the end; 0 answers at once'),
})

export const getVideo: Tool = {
  name: 'get_video',
  title: 'Follow a video',
  description:
    'Reads a video: its status and progress, and once it has succeeded the links to its files. Waits up to waitSeconds for the end, so call it again until the status is succeeded, failed or canceled.',
  inputSchema: () => toToolSchema(input),
  outputSchema: videoResult,
  hints: { readOnlyHint: true, idempotentHint: true },
  async run(args, context) {
    const parsed = parseInput(input, args)
    if (!parsed.ok) return tellFaults(parsed.faults)
    const { videoId, waitSeconds } = parsed.value
    const answer = await context.ask({ route: 'getVideo', at: { videoId } })
    if (!answer.ok) return tellRefusal(answer)
    const now = await answer.json<VideoRecord>()
    if (waitSeconds === 0 || isTerminal(now.status)) return sayVideo(now)
    return sayVideo((await waitFor(videoId, waitSeconds, context)) ?? now)
  },
}

/** The record as it was last seen; undefined if the video cannot be followed now, as when too many others do. */
async function waitFor(
  videoId: string,
  waitSeconds: number,
  context: ToolContext,
): Promise<VideoRecord | undefined> {
  const events = await context.ask({ route: 'followVideo', at: { videoId } })
  return events.ok ? untilEnd(events, waitSeconds * 1000, context) : undefined
}
