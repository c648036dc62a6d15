import { endEventId, formatVideoEvent } from '../../../contract/video/video-event.ts'
import * as examples from '../examples/examples.ts'
import { failure, fault, keyFailures, sharedFailure } from '../failures.ts'
import { headerRefs, rateHeaderNames } from '../headers.ts'
import type { DescribedOperation } from '../openapi-types.ts'
import { videoIdParameter } from '../parameters.ts'

const { videoId } = examples.succeededVideo

export const followVideoOperation: DescribedOperation = {
  tags: ['Videos'],
  summary: 'Follow a video',
  description:
    'Server-sent events: the record as it is now, then `progress` whenever it changes, and one `end`, after which the connection closes. The `data` of each is the record of `GET /v1/videos/{videoId}`. A comment every 15 s keeps the connection open; nothing is replayed. A stream that is opened after the end sends one `end`. Opening a stream counts as one request, however long it stays open.',
  parameters: [
    videoIdParameter,
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'Sent by a client that lost the connection: the id of the last event it got',
      schema: { type: 'string' },
      example: endEventId(videoId),
    },
  ],
  responses: {
    200: {
      description: 'The events.',
      headers: headerRefs(...rateHeaderNames),
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
    204: {
      description: 'You have received the `end` of this video: do not connect again.',
      headers: headerRefs(...rateHeaderNames),
    },
    ...keyFailures,
    404: sharedFailure('VideoNotFound'),
    503: failure({
      description: 'Too many clients follow this video, or the service cannot take requests now.',
      headers: [...rateHeaderNames, 'Retry-After'],
      examples: {
        followed: fault('ServiceUnavailable', 'Too many clients follow this video already.', {
          retryAfter: 10,
        }),
      },
    }),
  },
}
