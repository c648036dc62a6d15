import { optionsSchema } from '../../../contract/options/options.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { createdAt, jobId, source, videoId } from './examples.ts'

/** A video that was analyzed without being made. */
export const analyzedVideo: VideoRecord = {
  ...optionsSchema.parse({ analyzeOnly: true, suggestClips: { count: 1 }, chapters: true }),
  fileUrl: source,
  videoId,
  jobId,
  videoName: 'Keynote',
  status: 'succeeded',
  progressPercent: 100,
  hasTranscript: true,
  transcript: {
    status: 'completed',
    text: 'So, um, good morning. We were, we were going to begin.',
    language: 'en',
  },
  analysis: { status: 'not_requested' },
  suggestions: [
    { startTime: 0, endTime: 4.52, why: 'silence' },
    { startTime: 5.12, endTime: 5.48, why: 'filler', text: 'um,' },
    { startTime: 7.04, endTime: 7.8, why: 'repeated_start', text: 'We were,' },
  ],
  moments: {
    clips: [
      {
        ...{
          startTime: 62.35,
          endTime: 98.81,
          title: 'How do you find the right price?',
          score: 0.71,
        },
        reasons: ['begins with a question', 'says "price" 6 times, of 8 in all'],
      },
    ],
    chapters: [
      { startTime: 0, title: 'You quit the lab right away?' },
      { startTime: 62.5, title: 'Prices' },
    ],
  },
  warnings: [],
  createdAt,
  lastUpdatedAt: '2026-11-21T10:14:40.118Z',
}
