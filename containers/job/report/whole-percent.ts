import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { Phase } from '../../../worker/contract/video/video-state.ts'
import { needsWordsFirst } from '../needs-words-first.ts'

type Shares = Readonly<Record<Phase, { readonly from: number; readonly to: number }>>

/** The part of the whole that each phase covers, in percent. */
const phaseShares: Shares = {
  fetching: { from: 0, to: 15 },
  measuring: { from: 15, to: 20 },
  transcribing: { from: 20, to: 20 },
  rendering: { from: 20, to: 90 },
  uploading: { from: 90, to: 99 },
}

/** The same if the rendering has to wait for the words. */
const sharesWithWords: Shares = {
  ...phaseShares,
  transcribing: { from: 20, to: 40 },
  rendering: { from: 40, to: 90 },
}

/** The same if nothing is rendered. */
const sharesWithoutVideo: Shares = {
  ...phaseShares,
  transcribing: { from: 20, to: 90 },
  rendering: { from: 90, to: 90 },
}

export function sharesOf(options: ProcessingOptions): Shares {
  if (options.analyzeOnly) return sharesWithoutVideo
  return needsWordsFirst(options) ? sharesWithWords : phaseShares
}

export type InsightName = 'transcript' | 'analysis'

/** The part of the bar for the transcript and for the analysis each, after everything is measured. */
const insightShare = 8

/**
 * The progress of the whole job, from `videoPercent` and from the transcript and the analysis, 0 … 1 each. If neither
 * was asked for, it is the progress of the video.
 */
export function wholePercent(videoPercent: number, insights: readonly number[]): number {
  const { to: begin } = phaseShares.measuring
  const { to: end } = phaseShares.uploading
  if (videoPercent <= begin) return videoPercent
  const reserved = insights.length * insightShare
  const video = ((videoPercent - begin) * (end - begin - reserved)) / (end - begin)
  return begin + video + insights.reduce((sum, share) => sum + share * insightShare, 0)
}
