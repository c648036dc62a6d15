import { JobError } from '../../errors/job-error.ts'
import type { RenderState } from '../render-state.ts'

/** Results of the largest size may last an hour; longer ones must be smaller. */
const mostSecondsOfLargest = 3_600

export function refuseEndless(
  { width, height, durationSeconds }: Pick<RenderState, 'width' | 'height' | 'durationSeconds'>,
  maxPixels: number,
): void {
  const pixels = width * height
  const isLarge = pixels > maxPixels
  if (!isLarge && pixels * durationSeconds <= maxPixels * mostSecondsOfLargest) return
  const size = `${width} × ${height} pixels`
  throw new JobError(
    'output_too_large',
    isLarge
      ? `The result would be too large: ${size}; at most ${maxPixels} pixels are allowed.`
      : `The result would be too large: ${Math.round(durationSeconds)} seconds of ${size}.`,
  )
}
