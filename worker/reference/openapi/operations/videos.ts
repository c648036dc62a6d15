import { knownVideos } from '../../../contract/video/sniff-format.ts'
import { limits } from '../../../contract/limits.ts'
import * as options from '../../../contract/options/create-video.ts'
import { listQuery } from '../../../contract/video/list-videos.ts'
import { endEventId, formatVideoEvent } from '../../../contract/video/video-event.ts'
import { transcriptQuery } from '../../../contract/video/video-record.ts'
import { answer, takes } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { analyzedVideo } from '../examples/analyzed-example.ts'
import * as examples from '../examples/examples.ts'
import { conflict, failure, fault, invalid, sharedFailure, wrong } from '../failures.ts'
import type { Media } from '../json-schemas.ts'
import { idempotencyKeyParameter, requestHeader } from '../parameters.ts'

const namedByOthers =
  'The names of these speakers are being changed by others. Try again in a moment.'

const twoSources =
  'Give exactly one of fileUrl, files, uploadId and sourceVideoId, not fileUrl and files'

const faults = invalid({
  oneFault: wrong('compressionQuality', 'Must be from 1 to 100'),
  unknownField: wrong('removeSilense', 'Unknown field; did you mean removeSilence?'),
  preset: wrong('preset', 'There is no preset clean-tlak; did you mean clean-talk?'),
  twoSources: fault('ValidationError', `fileUrl: ${twoSources} (and 1 more fault; see details)`, {
    details: [
      { field: 'fileUrl', message: twoSources },
      { field: 'files', message: twoSources },
    ],
  }),
})

export const createVideo: Described = {
  summary: 'Create a video',
  description:
    'Takes one source (`fileUrl`, the `uploadId` of a completed upload, or in `sourceVideoId` an earlier video whose source is used again), or several to combine (`files` with `combine: true`), and what to do with it. A `preset` fills in what the request leaves out. The answer comes at once; the work follows. Every video that was answered with a 202 ends as `succeeded`, `failed` or `canceled`.',
  parameters: [idempotencyKeyParameter],
  body: takes(options.createVideo, 'One source, and what to do with it.', {
    simple: ['The smallest request: one source', examples.simpleRequest],
    clean: ['Clean a talk, and send a webhook', examples.cleanRequest],
    combine: ['Two clips into one portrait video', examples.combineRequest],
    elements: ['A logo and music', examples.elementsRequest],
    preset: ['A preset, and one thing otherwise', examples.presetRequest],
    everything: ['Every option at once', examples.fullRequest],
  }),
  responses: {
    402: sharedFailure('BudgetExceeded'),
    202: answer(
      'The video is queued.',
      'VideoAccepted',
      { queued: ['Queued', examples.accepted] },
      ['Location', 'Idempotent-Replayed'],
    ),
    400: faults,
    404: failure('There is no such upload, or it is not yours.', {
      upload: fault('NotFound', 'Upload not found.'),
    }),
    409: conflict(
      'The Idempotency-Key belongs to another request, or the upload is not ready or was already used.',
      {
        used: fault('Conflict', 'The upload was already used by video v_3kTMd92L.'),
        reused: fault('Conflict', 'This Idempotency-Key was used with another request.'),
        inFlight: fault(
          'Conflict',
          'A request with this Idempotency-Key is still being processed.',
          { retryAfter: 5 },
        ),
      },
    ),
  },
}

export const planVideo: Described = {
  summary: 'Check a request',
  description:
    'Takes what a create takes, and answers what would be done, or every fault. Nothing is made or fetched: whether the sources can be read is not checked.',
  requestBody: { $ref: '#/components/requestBodies/CreateVideo' },
  responses: {
    200: answer(
      'The request is valid. `request` has the fields of its preset and all defaults.',
      'VideoPlan',
      { steps: ['What would be done', examples.plan] },
    ),
    400: faults,
  },
}

export const createPlan: Described = {
  summary: 'Plan a video',
  description:
    'Takes what a create takes, and answers what would become of it: what is copied and what is encoded and why, how long and how large each result is, warnings and refusals, when the work begins, how long it takes, and its price. Nothing is made; of the sources it reads only what it needs for that. What shows only while the work is done is named in `unknown`. Each number is a range, within which four of five come out.',
  requestBody: { $ref: '#/components/requestBodies/CreateVideo' },
  responses: {
    402: sharedFailure('BudgetExceeded'),
    200: answer('What would become of the request; `refusal` says if it would fail.', 'Plan', {
      plan: ['A talk without its pauses', examples.foreseen],
    }),
    400: faults,
    404: failure('There is no such upload or video, or it is not yours.', {
      upload: fault('NotFound', 'Upload not found.'),
    }),
    409: conflict('The upload is not ready, or its file is no longer kept.', {
      open: fault('Conflict', 'The upload is open; complete it first.'),
    }),
  },
}

const required = 'Required: the video as a file'
const cutOff = 'Must end with its closing boundary, but was cut off before it'
const unknown = `Its bytes are not a video that is known here. Supported are ${knownVideos}`
const other = `Its bytes are PDF, which is not supported. Supported are ${knownVideos}`
const tooLarge = 'Must have at most 2147483648 bytes'

export const uploadVideo: Described = {
  summary: 'Upload a video',
  description: `Takes the source as a file in a form, and the options of a create as its other fields. The file is stored while it arrives; the answer is that of a create.\n\nThe first fault ends the upload: fields that come before the file are checked before the file is read, and the leading bytes of the file before it is stored. The form may have ${limits.formParts} parts, ${limits.formTextBytes} bytes of text in its fields, and ${limits.partHeaderBytes} bytes of headers in a part.`,
  parameters: [idempotencyKeyParameter],
  body: {
    schema: options.uploadVideo,
    description:
      'One file, and what to do with it. Booleans and numbers are sent as text, objects and lists as JSON in one field; fields may come before or after the file.',
    file: { name: 'file', description: `The video: ${knownVideos} are detected from their bytes` },
    examples: { simple: ['A file, made smaller', examples.uploadRequest] },
  },
  responses: {
    402: sharedFailure('BudgetExceeded'),
    202: answer(
      'The file is stored and the video queued.',
      'VideoAccepted',
      { queued: ['Queued', examples.accepted] },
      ['Location', 'Idempotent-Replayed'],
    ),
    400: invalid({
      noFile: wrong('file', required),
      notVideo: wrong('file', unknown),
      slow: wrong('body', 'Must keep arriving, every 262144 bytes of it within 60 seconds'),
      cutOff: wrong('body', cutOff),
    }),
    409: conflict(
      'The Idempotency-Key belongs to another request, or its upload is still arriving.',
      {
        reused: fault('Conflict', 'This Idempotency-Key was used with another request.'),
        inFlight: fault(
          'Conflict',
          'A request with this Idempotency-Key is still being processed.',
          { retryAfter: 120 },
        ),
      },
    ),
    413: failure('The file is larger than the service accepts.', {
      file: fault('PayloadTooLarge', `file: ${tooLarge}.`, {
        details: [{ field: 'file', message: tooLarge }],
      }),
    }),
    422: failure('The file is of a known type that is not supported.', {
      mkv: fault('UnsupportedMediaType', `file: ${other}.`, {
        details: [{ field: 'file', message: other }],
      }),
    }),
  },
}

export const listVideos: Described = {
  summary: 'List videos',
  description:
    'Your videos, newest first. Pass `nextCursor` as `cursor` until it is null; videos created meanwhile do not shift the pages. Videos that are older than your account wants are archived: they are on the list with `archived=true`, and no longer on the one without.',
  query: listQuery,
  responses: {
    200: answer('One page.', 'VideoPage', {
      page: ['A page that is not the last', examples.videoPage],
    }),
    400: invalid({ limit: wrong('limit', 'Must be a whole number from 1 to 100') }),
  },
}

export const getVideo: Described = {
  summary: 'Read a video',
  description:
    'The record: the request from the first moment on, and the results once the video has ended. A video that failed is a 200 with `status: "failed"` and a `reason`. Every read signs the links again. An archived video is read like any other.',
  responses: {
    200: answer('The record.', 'Video', {
      queued: ['Waiting for its turn', examples.queuedVideo],
      running: ['Being processed', examples.runningVideo],
      succeeded: ['Finished', examples.succeededVideo],
      analyzed: ['Only analysed, with analyzeOnly', analyzedVideo],
      failed: ['Failed', examples.failedVideo],
    }),
  },
}

export const changeVideo: Described = {
  summary: 'Change a video',
  description:
    'Changes the name or the metadata of a video in any status, and how the speakers of a finished transcript are called; a field that is left out stays as it is. Metadata is replaced as a whole, and an empty object removes it. A speaker who is left out of `speakerNames` keeps the present name; `null` as a value gives that speaker’s first name back, and `null` instead of the object gives back all first names. The record, the files of the transcript and the captions of streams use the new names; what was sent to a bucket stays as it was made. Later links have file names made from the new name, and lead to a transcript with the names of the speakers. Webhooks that were sent already are not sent again.',
  body: takes(options.changeVideo, 'What to change: one field or several.', {
    rename: ['A new name', examples.renameRequest],
    metadata: ['Other metadata', examples.metadataRequest],
    speakers: ['Names of speakers', examples.speakerNamesRequest],
  }),
  responses: {
    200: answer('The record as it is now.', 'Video', {
      renamed: [
        'Renamed',
        { ...examples.succeededVideo, videoName: examples.renameRequest.videoName },
      ],
    }),
    400: invalid({
      empty: wrong('body', 'Must change something: videoName, metadata or speakerNames'),
    }),
    409: conflict(
      'The video is archived, its transcript is not ready yet, or others are naming its speakers.',
      {
        archived: fault(
          'Conflict',
          'The video is archived: it can be read and deleted, and no longer be changed.',
        ),
        named: fault('Conflict', namedByOthers, { retryAfter: 1 }),
      },
    ),
  },
}

export const deleteVideo: Described = {
  summary: 'Delete a video',
  description: 'Deletes a video that has ended, with its files. Its links stop working at once.',
  responses: {
    204: { description: 'It is gone.' },
    409: conflict('The video is unfinished.', {
      running: fault('Conflict', 'The video is running; cancel it before deleting it.'),
    }),
  },
}

export const cancelVideo: Described = {
  summary: 'Cancel a video',
  description:
    'Ends a video that is queued or running. Canceling a canceled video answers 200 again.',
  responses: {
    200: answer('The video is canceled.', 'Video', {
      canceled: ['Canceled', examples.canceledVideo],
    }),
    409: conflict('The video has ended in another way.', {
      succeeded: fault('Conflict', 'The video has already succeeded; it cannot be canceled.'),
    }),
  },
}

const text: Media = { schema: { type: 'string' } }

export const getTranscript: Described = {
  summary: 'Read the transcript of a video',
  description:
    'What is said in the finished video, if the request had `enableTranscription: true`. All times are times in the finished video. `format=srt` and `format=vtt` are captions of at most two lines.',
  query: transcriptQuery,
  responses: {
    200: {
      description: 'The transcript, or with `format=txt`, `srt` or `vtt` one of its files.',
      schema: 'Transcript',
      examples: {
        transcript: ['A short one', examples.transcript],
        timed: ['With format=json', examples.timedTranscript],
      },
      content: { 'text/plain': text, 'application/x-subrip': text, 'text/vtt': text },
    },
    400: invalid({ format: wrong('format', 'Must be json, txt, srt or vtt') }),
    404: failure('There is no such video, it has no transcript, or its transcription failed.', {
      missing: fault('NotFound', 'Video not found.'),
      none: fault(
        'NotFound',
        'This video was made without a transcript. For one, make it once more with {"sourceVideoId": "v_3RB6SiNw", "enableTranscription": true}.',
      ),
    }),
    409: conflict('The transcript is not ready yet. Try again after Retry-After.', {
      pending: fault('Conflict', 'The transcript is not ready yet; it is pending.', {
        retryAfter: 5,
      }),
    }),
  },
}

const { videoId } = examples.succeededVideo

export const followVideo: Described = {
  summary: 'Follow a video',
  description:
    'Server-sent events: the record as it is now, then `progress` whenever it changes, and one `end`, after which the connection closes. The `data` of each is the record of `GET /v1/videos/{videoId}`. A comment every 15 s keeps the connection open; nothing is replayed. A stream that is opened after the end sends one `end`. Opening a stream counts as one request, however long it stays open.',
  parameters: [
    requestHeader(
      'Last-Event-ID',
      'Sent by a client that lost the connection: the id of the last event it got',
      endEventId(videoId),
    ),
  ],
  responses: {
    200: {
      description: 'The events.',
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          examples: {
            progress: {
              summary: 'The record has changed',
              value: formatVideoEvent('progress', examples.runningVideo),
            },
            end: {
              summary: 'The video has ended',
              value: formatVideoEvent('end', examples.succeededVideo),
            },
          },
        },
      },
    },
    204: { description: 'You have received the `end` of this video: do not connect again.' },
    503: {
      description: 'Too many clients follow this video, or the service cannot take requests now.',
      headers: ['Retry-After'],
      faults: {
        followed: fault(
          'ServiceUnavailable',
          'Too many clients are following this video already.',
          { retryAfter: 10 },
        ),
      },
    },
  },
}
