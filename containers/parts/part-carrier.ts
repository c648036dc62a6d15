import type { PartSpec } from '../../worker/contract/job/part-spec.ts'

export type PartTask = { readonly n: number; readonly spec: PartSpec }

/** A part that is rendered: its file is in the folder of the job. */
export type PartResult = {
  readonly n: number
  readonly file: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly pictures: number
  readonly cpuMs: number
  readonly edges: readonly string[]
}

/** Has parts of a film rendered by other media workers. */
export type PartCarrier = {
  /** How many further media workers could take a part now. */
  idle(): Promise<number>
  /** Undefined: no slot is free for it now. Rejects if the part was lost or failed. */
  run(
    task: PartTask,
    signal: AbortSignal,
    onProgress: (pictures: number) => void,
  ): Promise<PartResult | undefined>
}
