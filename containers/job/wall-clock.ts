import type { ToolContext } from '../ffmpeg/run-tool.ts'
import type { Clip } from '../timeline/clip.ts'

/** One program has this long, whatever it reads. */
export const leastWallMs = 600_000
/** And this many times as long as what it reads. */
const wallFactor = 10
/** 1080p at 30 pictures a second; what has more pixels takes longer in proportion. */
const ordinaryPixelRate = 1920 * 1080 * 30

/** Longest time that one program may take over these clips, with this number of elements on them. */
export function wallMsOf(clips: readonly Clip[], elements: number): number {
  const seconds = clips.reduce((sum, { facts: { video, durationSeconds } }) => {
    const pixelRate = video.width * video.height * video.averageFps
    return sum + durationSeconds * Math.max(1, pixelRate / ordinaryPixelRate)
  }, 0)
  return Math.round(Math.max(leastWallMs, seconds * 1000 * wallFactor * (1 + elements)))
}

/** What was measured says how long the programs of a job may take from then on. */
export function withWallClock(
  tools: ToolContext,
  clips: readonly Clip[],
  elements: number,
): ToolContext {
  return { ...tools, limits: { ...tools.limits, wallMs: wallMsOf(clips, elements) } }
}
