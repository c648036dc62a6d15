import type { JobRecord } from '../../contract/job/job-record.ts'
import type { TranscriptFile } from '../../contract/video/transcript.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import type { ShownPlan } from './read-plan.ts'

/** What the page of one video shows. */
export type VideoView = {
  record: VideoRecord
  /** Also of a video that did not ask for one. */
  stillUrl: string | undefined
  job: JobRecord
  /** The plan of the last attempt that had one. */
  plan: ShownPlan | undefined
  /** What is said when; absent while there is none, or once its file is gone. */
  transcript: TranscriptFile | undefined
}
