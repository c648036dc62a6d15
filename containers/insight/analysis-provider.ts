import type { ToolContext } from '../ffmpeg/run-tool.ts'
import type { Coordinates } from '../timeline/coordinates.ts'
import type { Speech } from '../speech/speech-provider.ts'
import type { Video } from '../timeline/finished-video.ts'

/** What is known of the video that is to be described. */
export type AnalysisSubject = {
  /** Finished, in the job folder. */
  readonly video: Video
  /** Undefined where it is not known what is said. */
  readonly speech: Speech | undefined
  /** Where the camera said it was. */
  readonly coordinates: Coordinates | undefined
}

export type Analysis = {
  readonly tags: readonly string[]
  readonly summary: string
  readonly estimatedLocation: string
}

export interface AnalysisProvider {
  readonly name: 'local' | 'openai' | 'cloudflare'
  /**
   * Rejects with an `AnalysisFailure`, or with the reason of `tools.signal`. `onProgress` hears percent, never less than
   * before.
   */
  analyse(
    subject: AnalysisSubject,
    tools: ToolContext,
    onProgress: (percent: number) => void,
  ): Promise<Analysis>
}

/** Why there is no analysis; the message is shown to the customer. */
export class AnalysisFailure extends Error {
  override name = 'AnalysisFailure'
}

/** What a location is where nobody can tell. */
export const unknownLocation = 'unknown'
