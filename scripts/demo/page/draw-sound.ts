import type { Cut } from '../demo-data.ts'
import type { SoundMeasures } from '../measure-sound.ts'

const width = 1000
const height = 120
const middle = height / 2
/** The range of the loudness curve, in LUFS. */
const range = { quietest: -60, loudest: 0 }

/** A waveform with its loudness above it, to the scale of the longest sound, so that lengths compare. */
export function drawSound(
  sound: SoundMeasures,
  { longest, cuts = [], label }: { longest: number; cuts?: readonly Cut[]; label: string },
): string {
  const right = (sound.seconds / longest) * width
  const x = (seconds: number) => ((seconds / longest) * width).toFixed(1)
  const removed = cuts.map(
    ({ startTime, endTime }) =>
      `<rect class="cut" x="${x(startTime)}" width="${x(endTime - startTime)}" y="0" height="${height}"/>`,
  )
  return `<svg class="sound" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect class="bed" width="${right.toFixed(1)}" height="${height}"/>
<path class="wave" d="${wavePath(sound.peaks, right)}"/>
${removed.join('')}
<line class="target" x1="0" x2="${right.toFixed(1)}" y1="${heightOf(-16)}" y2="${heightOf(-16)}"/>
<polyline class="loudness" points="${loudnessPoints(sound.loudness, right)}"/>
<line class="playhead" x1="0" x2="0" y1="0" y2="${height}"/>
</svg>`
}

function wavePath(peaks: readonly number[], right: number): string {
  const step = right / Math.max(1, peaks.length)
  return peaks
    .map((peak, i) => {
      const half = Math.max(0.4, peak * middle)
      return `M${((i + 0.5) * step).toFixed(1)} ${(middle - half).toFixed(1)}v${(2 * half).toFixed(1)}`
    })
    .join('')
}

function loudnessPoints(loudness: readonly number[], right: number): string {
  const step = right / Math.max(1, loudness.length)
  return loudness.map((value, i) => `${(i * step).toFixed(1)},${heightOf(value)}`).join(' ')
}

function heightOf(lufs: number): string {
  const { quietest, loudest } = range
  return (height * (1 - (lufs - quietest) / (loudest - quietest))).toFixed(1)
}
