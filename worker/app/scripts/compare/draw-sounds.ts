import type { SharedTime } from '../../compare/line-up.ts'
import { hear, peakOf } from '../page/hear.ts'
import { write } from '../page/write.ts'

/** How many columns the drawing has; its height is 100. */
const columns = 1600
const mostBytes = 200_000_000
/** A longer sound is decoded at a lower rate, so that it fits into the memory of a phone. */
const mostSecondsInFull = 300

type Addresses = { source: string; result: string | undefined }
type Of = keyof Addresses

/** Draws both sounds on the line of the source, at the same scale, and says how loud they are. */
export async function drawSounds(time: SharedTime, addresses: Addresses): Promise<void> {
  const isFull = time.line.seconds <= mostSecondsInFull
  if (!isFull)
    document
      .querySelector('#how-measured')
      ?.append(' Of long films, only the sound below 4 kHz is measured.')
  const drawn: [Of, number[]][] = []
  for (const of of ['source', 'result'] as const) {
    const sampleRate = isFull ? 48_000 : 8000
    const address = addresses[of]
    const hearing = address === undefined ? undefined : hear(address, { mostBytes, sampleRate })
    const sound = await hearing?.catch(() => undefined)
    if (sound) drawn.push([of, peaksOf(time, of, sound)])
    else if (address !== undefined) write(`#sound-${of}`, undrawn(time))
    const { average, peak } = sound ? levelsOf(sound) : {}
    write(`#average-${of}`, decibels(average))
    write(`#peak-${of}`, decibels(peak))
  }
  if (drawn.length === 0 && time.line.isSilent) document.querySelector('#levels')?.remove()
  const loudest = Math.max(...drawn.flatMap(([, peaks]) => peaks), 0.01)
  for (const [of, peaks] of drawn) {
    const path = peaks.map((peak, x) => (peak < 0 ? '' : column(x, peak / loudest))).join('')
    document.querySelector(`#wave-${of}`)?.setAttribute('d', path)
  }
}

/** Why the sound of a result is not drawn: browsers can draw it only if something was mixed in. */
function undrawn({ line: { isSilent } }: SharedTime): string {
  return isSilent ? 'without sound' : 'without a sound that this browser could draw'
}

function column(x: number, share: number): string {
  const tall = Math.max(0.5, share * 48)
  return `M${x} ${(50 - tall).toFixed(1)}h1v${(2 * tall).toFixed(1)}h-1z`
}

/** The peak in each column of the drawing; -1 where the result has no sound because it was cut out or lies outside the excerpt. */
function peaksOf(time: SharedTime, of: Of, sound: AudioBuffer): number[] {
  const samples = sound.getChannelData(0)
  const each = time.line.seconds / columns
  const sampleAt = (second: number) =>
    Math.floor((of === 'source' ? second : time.inResult(second)) * sound.sampleRate)
  const [from, to] = time.excerpt
  const isLeftOut = (second: number) =>
    second < from || second > to || time.cutAt(second) !== undefined
  return Array.from({ length: columns }, (_, x) =>
    of === 'result' && isLeftOut((x + 0.5) * each)
      ? -1
      : peakOf(samples, sampleAt(x * each), sampleAt((x + 1) * each)),
  )
}

function levelsOf(sound: AudioBuffer): { average: number; peak: number } {
  let [sum, peak] = [0, 0]
  for (let channel = 0; channel < sound.numberOfChannels; channel++) {
    const samples = sound.getChannelData(channel)
    for (const sample of samples) {
      sum += sample * sample
      peak = Math.max(peak, Math.abs(sample))
    }
  }
  return { average: Math.sqrt(sum / (sound.length * sound.numberOfChannels)), peak }
}

function decibels(level: number | undefined): string {
  if (level === undefined) return 'not measured'
  if (level === 0) return 'silent'
  const value = 20 * Math.log10(level)
  return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)} dB`
}
