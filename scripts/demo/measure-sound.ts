import { runFfmpeg } from './run-ffmpeg.ts'

export type SoundMeasures = {
  seconds: number
  /** The loudest sample of each of equal parts, from 0 to 1. */
  peaks: number[]
  /** Momentary loudness in LUFS, ten times a second. */
  loudness: number[]
  /** The loudness of the whole, in LUFS. */
  integrated: number
}

const rate = 8000
const parts = 480
/** Below this nobody hears anything, and a curve would only show noise. */
const floorLufs = -60

export async function measureSound(file: string, signal: AbortSignal): Promise<SoundMeasures> {
  const pcm = ['-v', 'error', '-i', file, '-map', '0:a:0', '-ac', '1', '-ar', String(rate)]
  const bytes = await runFfmpeg([...pcm, '-f', 'f32le', '-'], signal)
  const samples = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  )
  const meter = 'ebur128=metadata=1,ametadata=print:file=-'
  const metered = ['-v', 'error', '-i', file, '-map', '0:a:0', '-af', meter, '-f', 'null', '-']
  const log = (await runFfmpeg(metered, signal)).toString()
  return {
    seconds: samples.length / rate,
    peaks: peaksOf(samples, parts),
    loudness: valuesOf(log, 'M').map((value) => Math.max(floorLufs, value)),
    integrated: valuesOf(log, 'I').at(-1) ?? floorLufs,
  }
}

export function peaksOf(samples: Float32Array, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const part = samples.subarray(
      Math.floor((i * samples.length) / count),
      Math.floor(((i + 1) * samples.length) / count),
    )
    const peak = part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    return Math.round(Math.min(1, peak) * 1000) / 1000
  })
}

function valuesOf(log: string, name: string): number[] {
  const found = log.matchAll(new RegExp(`^lavfi\\.r128\\.${name}=(\\S+)$`, 'gm'))
  return [...found].map(([, value]) => {
    const number = Number(value)
    return Number.isFinite(number) ? Math.round(number * 10) / 10 : floorLufs
  })
}
