import path from 'node:path'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { runTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { SpeechFailure, type SpeechAudio, type SpeechFormat } from '../speech-provider.ts'
import { speechRate } from '../../sound/speech-sound.ts'
import { open } from 'node:fs/promises'
import { readInto } from './sound-file.ts'

/** Removes rumble. In 64 bits, the filter soon forgets the beginning of a sound to the last bit. */
const rumble = 'highpass=f=60:precision=f64'

const reading: Readonly<Record<SpeechFormat, readonly string[]>> = {
  mp3: [],
  f32le: ['-ar', String(speechRate), '-ac', '1'],
}

/** Writes the sound in the form that the models need into a file of plain samples in the job folder. */
export async function decodeAudio(audio: SpeechAudio, tools: ToolContext): Promise<string> {
  const soundPath = path.join(tools.folder, 'speech.f32')
  await runSound(tools, [
    ...reading[audio.format],
    ...guardedInput(audio.path, audio.format),
    ...['-map', '0:a:0', '-af', rumble, '-ar', String(speechRate), '-ac', '1'],
    ...['-f', 'f32le', `file:${soundPath}`],
  ])
  await evenLevel(soundPath, tools.signal)
  return soundPath
}

export async function runSound(tools: ToolContext, args: readonly string[]): Promise<void> {
  const { exitCode, stderrTail } = await runTool(
    tools,
    'ffmpeg',
    [
      ...guardedGlobals,
      ...['-y', '-progress', 'pipe:1', '-stats_period', '0.5', '-threads', '1'],
      ...args,
    ],
    (chunk) => chunk.length > 0,
  )
  if (exitCode === 0) return
  throw new SpeechFailure('The sound could not be read for transcription.', {
    cause: new Error(`ffmpeg ended with ${exitCode}: ${stderrTail}`),
  })
}

/** The loudest sample within this distance tells how loud a voice is, so that its pauses are not raised to its level. */
const reach = 1.4 * speechRate
const loudest = 0.7
const mostGain = 10
/** Gains are smoothed by three means over this many samples to each side, which together are nearly a bell of half a second. */
const smoothing = 0.45 * speechRate
/** How far around a sample others change its gain. */
const context = reach + 3 * smoothing
/** Gains are whole numbers, in parts of an octave: sums of these are the same wherever they begin. */
const perOctave = 1 << 16
const blockLength = 1 << 19
const bytesPerSample = Float32Array.BYTES_PER_ELEMENT

/**
 * Brings every voice in a file of samples to the same level, because the detector misses quiet ones. The result for a sample
 * depends only on the three seconds around it, not on where the sound begins: a recogniser writes other words here and there
 * for samples that differ by as little as -80 dB.
 */
export async function evenLevel(path: string, signal: AbortSignal): Promise<void> {
  await using file = await open(path, 'r+')
  const length = Math.floor((await file.stat()).size / bytesPerSample)
  // The evened samples take the places of the raw ones, which are remembered while others depend on them.
  let raw: Float32Array = new Float32Array()
  let first = 0
  for (let at = 0; at < length; at += blockLength) {
    signal.throwIfAborted()
    const end = Math.min(length, at + blockLength)
    const from = Math.max(0, at - context)
    const known = raw.subarray(from - first)
    raw = new Float32Array(Math.min(length, end + context) - from)
    raw.set(known)
    first = from
    await readInto(file, raw.subarray(known.length), from + known.length)
    const evened = evenSamples(raw, at - from, end - from)
    await file.write(evened, 0, evened.byteLength, at * bytesPerSample)
  }
}

/** Evens the samples of a range; the surrounding ones that matter are given too, unless the sound ends there. */
function evenSamples(raw: Float32Array, from: number, to: number): Float32Array {
  const margin = 3 * smoothing
  let gains: Float64Array = gainsIn(raw, from - margin, to + margin)
  for (let round = 0; round < 3; round++) gains = means(gains)
  const evened = raw.slice(from, to)
  for (const [i, gain] of gains.entries()) evened[i] = (evened[i] ?? 0) * 2 ** (gain / perOctave)
  return evened
}

/** The gain of each place before smoothing. Beyond the sound it is that of its first or last sample. */
function gainsIn(raw: Float32Array, from: number, to: number): Float64Array {
  const gains = new Float64Array(to - from)
  const [first, last] = [Math.max(0, from), Math.min(raw.length, to) - 1]
  // Places of samples that are louder than all between them and the newest one.
  const louder = new Int32Array(raw.length)
  let [head, tail] = [0, 0]
  let next = Math.max(0, first - reach)
  let [peak, gain] = [-1, 0]
  for (let at = first; at <= last; at++) {
    for (; next < raw.length && next <= at + reach; next++) {
      const level = Math.abs(raw[next] ?? 0)
      while (tail > head && Math.abs(raw[louder[tail - 1] ?? 0] ?? 0) <= level) tail--
      louder[tail++] = next
    }
    while ((louder[head] ?? 0) < at - reach) head++
    const now = Math.abs(raw[louder[head] ?? 0] ?? 0)
    if (now !== peak) [peak, gain] = [now, gainFor(now)]
    gains[at - from] = gain
  }
  gains.fill(gains[first - from] ?? 0, 0, first - from)
  gains.fill(gains[last - from] ?? 0, last + 1 - from)
  return gains
}

function gainFor(peak: number): number {
  return Math.round(perOctave * Math.log2(Math.min(mostGain, loudest / peak)))
}

/** The mean around each value, as a whole number again. Values that have no full surroundings drop out. */
function means(values: Float64Array): Float64Array {
  const width = 2 * smoothing + 1
  const found = new Float64Array(values.length - width + 1)
  let sum = 0
  for (let i = 0; i < width - 1; i++) sum += values[i] ?? 0
  for (let i = 0; i < found.length; i++) {
    sum += values[i + width - 1] ?? 0
    found[i] = Math.round(sum / width)
    sum -= values[i] ?? 0
  }
  return found
}
