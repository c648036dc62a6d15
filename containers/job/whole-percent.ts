import type { Phase } from '../../worker/contract/video-state.ts'

/** Where each phase stands in the whole, in percent. */
export const phaseShares: Record<Phase, { readonly from: number; readonly to: number }> = {
  fetching: { from: 0, to: 15 },
  measuring: { from: 15, to: 20 },
  rendering: { from: 20, to: 90 },
  uploading: { from: 90, to: 99 },
}

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
