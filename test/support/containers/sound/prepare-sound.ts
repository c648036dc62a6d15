import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { decodeSound, finishSound } from '../../../../containers/sound/prepare-sound.ts'
import type { PreparedSound } from '../../../../containers/sound/prepared-sound.ts'
import type { SoundRequest } from '../../../../containers/sound/sound-request.ts'

/** Decodes and finishes the sound of a video in which nothing that is said is cut. */
export async function prepareSound(
  context: ToolContext,
  request: SoundRequest,
): Promise<PreparedSound | undefined> {
  const decoded = await decodeSound(context, request)
  return decoded && finishSound(context, request, decoded)
}
