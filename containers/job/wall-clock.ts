import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Clip } from '../timeline/clip.ts'

/** How long an ffmpeg may make no progress before it is stopped. */
export const stallMs = 60_000

/** Every program may take at least this long … */
export const leastWallMs = 600_000
/** … and this many times the length of what it reads. */
const wallFactor = 10
/** 1080p at 30 pictures a second; the time grows in proportion for more pixels. */
const ordinaryPixelRate = 1920 * 1080 * 30

/** The longest time that one program may take for these clips with this number of elements. */
export function wallMsOf(clips: readonly Clip[], elements: number): number {
  const seconds = clips.reduce((sum, { facts: { video, durationSeconds } }) => {
    const pixelRate = video.width * video.height * video.averageFps
    return sum + durationSeconds * Math.max(1, pixelRate / ordinaryPixelRate)
  }, 0)
  return Math.round(Math.max(leastWallMs, seconds * 1000 * wallFactor * (1 + elements)))
}

/** Any film may take this long for a step that a copy needs and an encode does not … */
const leastCopyMs = 300_000
/** … and a long one this share of what a program of its encode may take: about as long as it plays. */
const copyShare = 0.1

/**
 * The longest time that one program may take to make the seams of a copy, or to prove it. If it takes longer, encoding
 * everything is better.
 */
export function copyStepMs({ wallMs }: Pick<ToolContext['limits'], 'wallMs'>): number {
  return Math.min(wallMs, Math.max(leastCopyMs, wallMs * copyShare))
}

/** Sets the time limit of the job's programs from what was measured. */
export function withWallClock(
  tools: ToolContext,
  clips: readonly Clip[],
  elements: number,
): ToolContext {
  return { ...tools, limits: { ...tools.limits, wallMs: wallMsOf(clips, elements) } }
}
