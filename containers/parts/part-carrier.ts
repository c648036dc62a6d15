import type { IdleSlots } from '../../worker/contract/job/part-job.ts'
import type { HearSpec } from '../../worker/contract/job/hear-spec.ts'
import type { PartSpec } from '../../worker/contract/job/part-spec.ts'

/** One part of a film, as data that can be sent to other media workers. */
export type PartTask = { readonly n: number; readonly spec: PartSpec }

/** A range of the speech in a sound. */
export type HearTask = { readonly n: number; readonly spec: HearSpec }

/** A part that was rendered. */
export type PartResult = {
  readonly n: number
  /** Its name in the folder of the lead's job. It begins with `part-`: such files are removed after joining. */
  readonly file: string
  readonly sizeBytes: number
  readonly sha256: string
  /** Without those that only warm the encoder up. */
  readonly pictures: number
  readonly cpuMs: number
  /** Hashes of the pictures at its ends, which its neighbours render too. */
  readonly edges: readonly string[]
}

/** `pictures` and `bytes`: encoded so far, including those that only warm the encoder up. */
export type PartProgress = (told: { pictures: number; bytes: number }) => void

/** Has parts of a film rendered elsewhere. */
export type PartCarrier = {
  /** How many more parts could be rendered now; none if the service does not say. Asked once, before a film is divided. */
  readonly idle: () => Promise<IdleSlots>
  /** The parts that follow belong to another film, such as the same one at another quality: earlier ones no longer count. */
  begin?(): void
  /** Why a film in parts proved wrong. From then on the film is rendered as a whole, at whatever quality. */
  fault?: string
  /**
   * Renders one part elsewhere, and fetches its file into the folder of the job; undefined if no slot is free for it now.
   * Rejects if it failed there.
   */
  readonly run: (
    task: PartTask,
    signal: AbortSignal,
    onProgress: PartProgress,
  ) => Promise<PartResult | undefined>
  /** The same for transcribing speech. */
  readonly hear?: (task: HearTask, signal: AbortSignal) => Promise<PartResult | undefined>
}
