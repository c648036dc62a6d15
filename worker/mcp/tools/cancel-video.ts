import { closedObject } from '../../contract/input/closed-object.ts'
import { videoId } from '../../contract/ids.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { sayVideo } from '../say/say-video.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import { checkedTool } from '../checked-tool.ts'

const input = closedObject({ videoId })

export const cancelVideo = checkedTool(input, {
  name: 'cancel_video',
  title: 'Cancel a video',
  description: 'Ends the processing of a video that is queued or running. It cannot be resumed.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run({ videoId }, { ask }) {
    const answer = await ask({ route: 'cancelVideo', at: { videoId } })
    return answer.ok ? sayVideo(await answer.json<VideoRecord>()) : tellRefusal(answer)
  },
})
