import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Coordinates } from '../timeline/coordinates.ts'
import type { Speech } from '../timeline/speech.ts'
import type { Video } from '../timeline/finished-video.ts'

/** The facts about the video to describe. */
export type AnalysisSubject = {
  /** The finished video in the job folder. */
  readonly video: Video
  /** Undefined if the speech is not known. */
  readonly speech: Speech | undefined
  /** The place that the camera recorded. */
  readonly coordinates: Coordinates | undefined
}

export type Analysis = {
  readonly tags: readonly string[]
  readonly summary: string
  readonly estimatedLocation: string
}

/** A question to a model in words alone, with the schema of its JSON answer. */
export type Question = {
  readonly system: string
  readonly user: string
  readonly name: string
  readonly schema: object
}

export interface AnalysisProvider {
  readonly name: 'local' | 'openai' | 'cloudflare'
  /**
   * Rejects with an `AnalysisFailure`, or with the reason of `tools.signal`. `onProgress` receives percent that never
   * decrease.
   */
  analyse(
    subject: AnalysisSubject,
    tools: ToolContext,
    onProgress: (percent: number) => void,
  ): Promise<Analysis>
  /** Absent if no model can be asked. Rejects with a `ProviderFault`, or with the reason of the signal. */
  readonly answer?: (question: Question, signal: AbortSignal) => Promise<unknown>
}

/** Why the analysis is missing; the message is shown to the customer. */
export class AnalysisFailure extends Error {
  override name = 'AnalysisFailure'
}

/** The location if the place is not known. */
export const unknownLocation = 'unknown'
