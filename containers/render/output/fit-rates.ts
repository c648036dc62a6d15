import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { audioKilobits } from './encoding.ts'

export type RateRequest = {
  readonly format: VideoFormat
  readonly quality: number
  readonly seconds: number
  readonly hasSound: boolean
}

/** Bits per second. */
export type Rates = { readonly videoBits: number; readonly audioBits: number }

/** The share of headers, tables and packet overhead. */
const containerShare = 0.02
/** The sound gets at most this share, so that enough is left for the picture. */
const mostSoundShare = 0.4
/** The lowest rates at which encoders still work. */
const leastAudioBits = 24_000
const leastVideoBits = 4_000

/** Divides a number of bytes between picture and sound. */
export function fitRates(bytes: number, request: RateRequest): Rates {
  const { format, quality, seconds, hasSound } = request
  const bits = (bytes * 8 * (1 - containerShare)) / Math.max(seconds, 0.04)
  const wanted = hasSound ? audioKilobits(format, quality, 2) * 1000 : 0
  const audioBits = hasSound ? Math.max(leastAudioBits, Math.min(wanted, bits * mostSoundShare)) : 0
  return { videoBits: Math.max(leastVideoBits, Math.round(bits - audioBits)), audioBits }
}

/** Replaces a quality: an average rate, with room for moments of much motion. */
export function pictureRate({ videoBits }: Rates): string[] {
  return [
    ...['-b:v', String(videoBits), '-maxrate:v', String(videoBits * 2)],
    ...['-bufsize:v', String(videoBits * 2)],
  ]
}
