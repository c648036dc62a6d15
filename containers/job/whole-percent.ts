import { phaseShares } from './job-context.ts'

export const insightNames = ['transcript', 'analysis'] as const
export type InsightName = (typeof insightNames)[number]

/** What each of them takes of the bar, after everything is measured. */
const insightShare = 8

/**
 * Progress of the whole job: of the video, `videoPercent`, and of what is made beside it, 0 … 1 each. Without wishes
 * beside the video it is the video's own.
 */
export function wholePercent(videoPercent: number, insights: readonly number[]): number {
  const { to: begin } = phaseShares.measuring
  const { to: end } = phaseShares.uploading
  if (videoPercent <= begin) return videoPercent
  const reserved = insights.length * insightShare
  const video = ((videoPercent - begin) * (end - begin - reserved)) / (end - begin)
  return begin + video + insights.reduce((sum, share) => sum + share * insightShare, 0)
}
