import { linesOf } from './lines-of.ts'

export type FfmpegProgress = { outSeconds: number; frames: number; sizeBytes: number }

/**
 * Reports without any advance are tolerated this many times longer than silence: a filter may drop an hour of input
 * before its first frame, and ffmpeg reports meanwhile that it is alive.
 */
const idleBlocksFactor = 10

/**
 * Reads what `-progress` writes: `key=value` lines, each block ended by `progress=`. The returned function tells
 * whether a chunk was a sign of life.
 */
export function progressReader(
  stallMs: number,
  onProgress: (progress: FfmpegProgress) => void,
  now: () => number = () => performance.now(),
): (chunk: string) => boolean {
  let current: FfmpegProgress = { outSeconds: 0, frames: 0, sizeBytes: 0 }
  let reported = ''
  let advancedAt = now()
  let isAlive = false
  const feed = linesOf((line) => {
    const [key, value] = line.trim().split('=')
    if (key === undefined || value === undefined) return
    current = withField(current, key, Number(value))
    if (key !== 'progress') return
    const state = JSON.stringify(current)
    if (state !== reported) advancedAt = now()
    reported = state
    isAlive = now() - advancedAt < stallMs * idleBlocksFactor
    onProgress(current)
  })
  return (chunk) => {
    isAlive = false
    feed(chunk)
    return isAlive
  }
}

/** Values may be `N/A`, and times may be negative before the first frame. */
function withField(progress: FfmpegProgress, key: string, value: number): FfmpegProgress {
  if (!Number.isFinite(value) || value < 0) return progress
  switch (key) {
    case 'out_time_us':
      return { ...progress, outSeconds: value / 1e6 }
    case 'frame':
      return { ...progress, frames: value }
    case 'total_size':
      return { ...progress, sizeBytes: value }
    default:
      return progress
  }
}
