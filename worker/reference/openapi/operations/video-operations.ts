import { analyzedVideo } from '../examples/analyzed-example.ts'
import { answer, conflict, invalid } from '../answers.ts'
import * as examples from '../examples/examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import type { Media, DescribedOperation, Response } from '../openapi-types.ts'
import { listParameters, transcriptParameters, videoIdParameter } from '../parameters.ts'
import { bodyRef } from '../request-bodies.ts'

const ofOneVideo = { ...keyFailures, 404: sharedFailure('VideoNotFound') }

export const listVideosOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'List videos',
  description:
    'Your videos, newest first. Pass `nextCursor` as `cursor` until it is null; videos created meanwhile do not shift the pages. Videos that are older than your account wants are archived: they are on the list with `archived=true`, and no longer on the one without.',
  parameters: listParameters(),
  responses: {
    200: answer({
      description: 'One page.',
      schema: 'VideoPage',
      examples: { page: ['A page that is not the last', examples.videoPage] },
    }),
    400: invalid({
      limit: fault('ValidationError', 'limit: Must be a whole number from 1 to 100', {
        details: [{ field: 'limit', message: 'Must be a whole number from 1 to 100' }],
      }),
    }),
    ...keyFailures,
  },
}

export const readVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Read a video',
  description:
    'The record: the request from the first moment on, and the results once the video has ended. A video that failed is a 200 with `status: "failed"` and a `reason`. Every read signs the links again. An archived video is read like any other.',
  parameters: [videoIdParameter],
  responses: {
    200: answer({
      description: 'The record.',
      schema: 'Video',
      examples: {
        queued: ['Waiting for its turn', examples.queuedVideo],
        running: ['Being processed', examples.runningVideo],
        succeeded: ['Finished', examples.succeededVideo],
        analyzed: ['Only analysed, with analyzeOnly', analyzedVideo],
        failed: ['Failed', examples.failedVideo],
      },
    }),
    ...ofOneVideo,
  },
}

export const changeVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Change a video',
  description:
    'Changes the name or the metadata of a video in any status; a field that is left out stays as it is. Metadata is replaced as a whole, and an empty object removes it all. Later links have file names made from the new name. Webhooks that were sent already are not sent again.',
  parameters: [videoIdParameter],
  requestBody: bodyRef('ChangeVideo'),
  responses: {
    200: answer({
      description: 'The record as it is now.',
      schema: 'Video',
      examples: {
        renamed: [
          'Renamed',
          { ...examples.succeededVideo, videoName: examples.renameRequest.videoName },
        ],
      },
    }),
    400: invalid({
      empty: fault('ValidationError', 'body: Must change something: videoName, metadata or both', {
        details: [{ field: 'body', message: 'Must change something: videoName, metadata or both' }],
      }),
    }),
    ...ofOneVideo,
    413: sharedFailure('PayloadTooLarge'),
  },
}

export const deleteVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Delete a video',
  description: 'Deletes a video that has ended, with its files. Its links stop working at once.',
  parameters: [videoIdParameter],
  responses: {
    204: { description: 'It is gone.', headers: headerRefs(...rateHeaderNames) },
    ...ofOneVideo,
    409: conflict('The video is unfinished.', {
      running: fault('Conflict', 'The video is running; cancel it before deleting it.'),
    }),
  },
}

export const cancelVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Cancel a video',
  description:
    'Ends a video that is queued or running. Canceling a canceled video answers 200 again.',
  parameters: [videoIdParameter],
  responses: {
    200: answer({
      description: 'The video is canceled.',
      schema: 'Video',
      examples: { canceled: ['Canceled', examples.canceledVideo] },
    }),
    ...ofOneVideo,
    409: conflict('The video has ended in another way.', {
      succeeded: fault('Conflict', 'The video has already succeeded; it cannot be canceled.'),
    }),
  },
}

const record = answer({
  description: 'The transcript, or with `format=txt`, `srt` or `vtt` one of its files.',
  schema: 'Transcript',
  examples: {
    transcript: ['A short one', examples.transcript],
    timed: ['With format=json', examples.timedTranscript],
  },
})
const text: Media = { schema: { type: 'string' } }
const transcriptAnswer: Response = {
  ...record,
  content: {
    ...record.content,
    'text/plain': text,
    'application/x-subrip': text,
    'text/vtt': text,
  },
}

export const readTranscriptOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Read the transcript of a video',
  description:
    'What is said in the finished video, if the request had `enableTranscription: true`. All times are times in the finished video. `format=srt` and `format=vtt` are captions of at most two lines.',
  parameters: [videoIdParameter, ...transcriptParameters()],
  responses: {
    200: transcriptAnswer,
    400: invalid({
      format: fault('ValidationError', 'format: Must be json, txt, srt or vtt', {
        details: [{ field: 'format', message: 'Must be json, txt, srt or vtt' }],
      }),
    }),
    ...keyFailures,
    404: failure({
      description: 'There is no such video, it has no transcript, or its transcription failed.',
      headers: [...rateHeaderNames],
      examples: {
        missing: fault('NotFound', 'Video not found.'),
        none: fault('NotFound', 'This video does not have a transcript.'),
      },
    }),
    409: conflict('The transcript is not ready yet. Try again after Retry-After.', {
      pending: fault('Conflict', 'The transcript is not ready yet; it is pending.', {
        retryAfter: 5,
      }),
    }),
  },
}
