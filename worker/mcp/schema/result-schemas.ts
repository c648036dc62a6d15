import { videoStatuses } from '../../contract/video/video-state.ts'
import type { JsonObject } from './json-schema.ts'

const text = { type: 'string' }

/** The fields of an answer's data on which a program can rely; an answer may have more. */
export const videoResult: JsonObject = {
  type: 'object',
  properties: {
    videoId: text,
    status: { type: 'string', enum: videoStatuses },
    progressPercent: { type: 'number' },
    secondsLeft: { type: 'number' },
    finalVideoUrl: text,
    thumbnailUrl: text,
    outputs: { type: 'array', items: { type: 'object' } },
    transcriptStatus: text,
    suggestions: { type: 'array', items: { type: 'object' } },
    errorMessage: text,
    next: text,
  },
  required: ['videoId', 'status', 'progressPercent', 'next'],
}

export const acceptedResult: JsonObject = {
  type: 'object',
  properties: { videoId: text, jobId: text, status: text, next: text },
  required: ['videoId', 'jobId', 'status', 'next'],
}
