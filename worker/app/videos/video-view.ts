import type { JobRecord } from '../../contract/job/job-record.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { TranscriptFile } from '../../contract/video/transcript.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import type { ShownPlan } from './read-plan.ts'

/** What the page of one video shows. */
export type VideoView = {
  record: VideoRecord
  /** As they were asked for: the record has what was made of them too. */
  outputs: CreateVideo['outputs']
  /** Also of a video that did not ask for one. */
  stillUrl: string | undefined
  job: JobRecord
  /** The plan of the last attempt that had one. */
  plan: ShownPlan | undefined
  /** What is said when; absent while there is none, or once its file is gone. */
  transcript: TranscriptFile | undefined
}
