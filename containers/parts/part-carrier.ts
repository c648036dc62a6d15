import type { IdleSlots } from '../../worker/contract/job/part-job.ts'
import type { HearSpec } from '../../worker/contract/job/hear-spec.ts'
import type { PartSpec } from '../../worker/contract/job/part-spec.ts'

/** One part of a film, as data that can travel. */
export type PartTask = { readonly n: number; readonly spec: PartSpec }

/** Some of the speech of a sound. */
export type HearTask = { readonly n: number; readonly spec: HearSpec }

/** A part that was rendered. */
export type PartResult = {
  readonly n: number
  /** Its name in the folder of the lead's job, which begins with `part-`: such files are removed after the join. */
  readonly file: string
  readonly sizeBytes: number
  readonly sha256: string
  /** Without those that only warm up. */
  readonly pictures: number
  readonly cpuMs: number
  /** Hashes of the pictures around its ends, which its neighbours render, too. */
  readonly edges: readonly string[]
}

/** `pictures` and `bytes` that are encoded so far, with those that only warm up. */
export type PartProgress = (told: { pictures: number; bytes: number }) => void

/** Has parts of a film rendered elsewhere. */
export type PartCarrier = {
  /** How many further parts could be rendered now; none if the service does not say. Asked once before a split is decided. */
  readonly idle: () => Promise<IdleSlots>
  /** What follows are parts of something else, such as the film at another quality: those before count no more. */
  begin?(): void
  /** Why a film of parts was not true. From then on the film is rendered whole, at whatever quality. */
  fault?: string
  /**
   * Renders one part elsewhere, and fetches its file into the folder of the job; undefined if nobody has a slot for it
   * now. Rejects if it failed there.
   */
  readonly run: (
    task: PartTask,
    signal: AbortSignal,
    onProgress: PartProgress,
  ) => Promise<PartResult | undefined>
  /** The same for speech that is to be written down. */
  readonly hear?: (task: HearTask, signal: AbortSignal) => Promise<PartResult | undefined>
}
