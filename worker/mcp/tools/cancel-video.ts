import { closedObject } from '../../contract/input/closed-object.ts'
import { videoId } from '../../contract/ids.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { sayVideo } from '../say/say-video.ts'
import { tellFaults, tellRefusal } from '../say/tell-refusal.ts'
import { toToolSchema } from '../schema/json-schema.ts'
import type { Tool } from '../tool.ts'

const input = closedObject({ videoId })

export const cancelVideo: Tool = {
  name: 'cancel_video',
  title: 'Cancel a video',
  description: 'Ends the processing of a video that is queued or running. It cannot be resumed.',
  inputSchema: () => toToolSchema(input),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run(args, { ask }) {
    const parsed = parseInput(input, args)
    if (!parsed.ok) return tellFaults(parsed.faults)
    const answer = await ask({ route: 'cancelVideo', at: { videoId: parsed.value.videoId } })
    return answer.ok ? sayVideo(await answer.json<VideoRecord>()) : tellRefusal(answer)
  },
}
