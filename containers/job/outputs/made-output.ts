import type { NamedOutput } from '../../../worker/contract/job/report.ts'
import type { Video } from '../../timeline/finished-video.ts'
import type { ResultFile } from '../render/finish-output.ts'

/** The files of one output in the job folder, and what the report says about it. */
export type MadeOutput = {
  readonly files: readonly ResultFile[]
  readonly told: NamedOutput
  /** The file whose pictures were checked. */
  readonly film?: Video
}
