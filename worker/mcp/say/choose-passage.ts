import type { TranscriptSegment } from '../../contract/video/transcript.ts'
import { round } from './say-video.ts'

/** What fits into the context of a model without crowding it; about 2,000 tokens. */
const mostChars = 8_000

type Wanted = { startTime: number; endTime?: number | undefined; withTimes: boolean }

/** The lines that are said between the two times, as many as one answer holds, and where the next answer begins. */
export function choosePassage(
  segments: readonly TranscriptSegment[],
  { startTime, endTime = Infinity, withTimes }: Wanted,
): { lines: string[]; nextStartTime?: number } {
  const lines: string[] = []
  let chars = 0
  for (const segment of segments) {
    if (segment.endTime <= startTime || segment.startTime >= endTime) continue
    const line = withTimes ? `[${round(segment.startTime)}] ${segment.text}` : segment.text
    chars += line.length + 1
    if (lines.length > 0 && chars > mostChars) return { lines, nextStartTime: segment.startTime }
    lines.push(line)
  }
  return { lines }
}
