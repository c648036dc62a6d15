import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { decodeSound, finishSound } from '../../../../containers/sound/prepare-sound.ts'
import type { PreparedSound } from '../../../../containers/sound/prepared-sound.ts'
import type { FrameSpan } from '../../../../containers/timeline/frame-spans.ts'
import { decideJoints } from '../../../../containers/timeline/joints.ts'
import type { ProcessingOptions } from '../../../../worker/contract/options/options.ts'
import type { SoundRequest } from '../../../../containers/sound/sound-request.ts'

/** Decodes and finishes the sound of a video in which nothing that is said is cut. */
export async function prepareSound(
  context: ToolContext,
  request: SoundRequest & { readonly options: Pick<ProcessingOptions, 'cutTransition'> },
): Promise<PreparedSound | undefined> {
  const decoded = await decodeSound(context, request)
  const { joints } = jointsOf(request, decoded?.removed.all ?? [], request.options)
  return decoded && finishSound(context, { ...request, joints }, decoded)
}

/** The transitions of a film whose pictures all fit into memory. */
export function jointsOf(
  { timeline, clips }: Pick<SoundRequest, 'timeline' | 'clips'>,
  removed: readonly FrameSpan[],
  { cutTransition }: Pick<ProcessingOptions, 'cutTransition'>,
) {
  return decideJoints({ timeline, removed, clips, cutTransition, mostFrames: 10_000 })
}
