import { videoAccepted } from '../../contract/video/video-record.ts'
import { tellFaults, tellRefusal } from '../say/tell-refusal.ts'
import { requestSchema } from '../schema/request-schema.ts'
import { acceptedResult } from '../schema/result-schemas.ts'
import type { Tool, AgentToolContext } from '../tool.ts'

export const makeVideo: Tool = {
  name: 'make_video',
  title: 'Make a video',
  description:
    'Starts processing a video: cut pauses or segments, join clips, clean and level the sound, reshape, overlay, convert, transcribe. Give exactly one source (fileUrl, files with combine: true, uploadId, or sourceVideoId for what an earlier video was made of) and the options you want; what you leave out stays as it is. Answers at once with a videoId; follow it with get_video. plan_video tells what would come of it.',
  inputSchema: requestSchema,
  outputSchema: acceptedResult,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async run({ idempotencyKey, ...request }, context) {
    if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
      return tellFaults([{ field: 'idempotencyKey', message: 'Must be text' }])
    }
    const unfinished = await finishUpload(request['uploadId'], context)
    if (unfinished) return tellRefusal(unfinished)
    const answer = await context.ask({
      route: 'createVideo',
      body: request,
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
    })
    if (!answer.ok) return tellRefusal(answer)
    const { videoId, jobId, status } = videoAccepted.parse(await answer.json())
    const next = `call get_video with videoId ${videoId}; it waits for the end.`
    const again = answer.headers.has('Idempotent-Replayed') ? ' by an earlier call' : ''
    return {
      text: `${videoId} is accepted${again}.\nNext: ${next}`,
      data: { videoId, jobId, status, next },
    }
  },
}

/** Joins the parts of an upload that is still open. Any other fault of it is reported by the create request. */
async function finishUpload(
  uploadId: unknown,
  { ask }: AgentToolContext,
): Promise<Response | undefined> {
  if (typeof uploadId !== 'string') return undefined
  const upload = await ask({ route: 'getUpload', at: { uploadId } })
  if (!upload.ok) return undefined
  const { status } = await upload.json<{ status: string }>()
  if (status !== 'open') return undefined
  const completed = await ask({ route: 'completeUpload', at: { uploadId } })
  return completed.ok ? undefined : completed
}
