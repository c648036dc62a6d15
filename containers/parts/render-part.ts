import type { PartSpec } from '../../worker/contract/job/part-spec.ts'
import { JobError } from '../errors/job-error.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { PartProgress, PartResult } from './part-carrier.ts'

type RenderPart = (
  tools: ToolContext,
  spec: PartSpec,
  onProgress: PartProgress,
) => Promise<Omit<PartResult, 'n'>>

/** Renders one part of a film, whose files are in the folder. */
export const renderPart: RenderPart = async () => {
  throw new JobError('internal', 'This media worker renders no parts.')
}
