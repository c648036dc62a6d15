import { listJobsQuery } from '../../../contract/job/job-record.ts'
import { answer } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import * as examples from '../examples/examples.ts'
import { invalid, wrong } from '../failures.ts'

export const getJob: Described = {
  summary: 'Read a job',
  description:
    'The work on a video: every attempt with its phases and the programs it ran, and, if the job failed, a `reason` that programs can act on.',
  responses: {
    200: answer('The job.', 'Job', {
      succeeded: ['Succeeded at the first attempt', examples.succeededJob],
      failed: ['Failed', examples.failedJob],
    }),
  },
}

export const listJobs: Described = {
  summary: 'Find the job of a video',
  description:
    'Finds the job of a video if its `videoId` is all you have. The record of the video has the `jobId` too.',
  query: listJobsQuery,
  responses: {
    200: answer('One job, or none.', 'JobPage', {
      found: ['The job of a video that failed', examples.jobPage],
      none: ['No such video', { data: [], nextCursor: null }],
    }),
    400: invalid({ videoId: wrong('videoId', 'Must be v_ and 8 letters or digits') }),
  },
}
