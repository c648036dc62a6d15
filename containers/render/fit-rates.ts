import type { VideoFormat } from '../../worker/contract/sniff-format.ts'
import { audioKilobits } from './encoding.ts'

export type RateRequest = {
  readonly format: VideoFormat
  readonly quality: number
  readonly seconds: number
  readonly hasSound: boolean
}

/** Bits a second. */
export type Rates = { readonly videoBits: number; readonly audioBits: number }

/** Headers, tables and packets around what is coded. */
const containerShare = 0.02
/** Sound gets less rather than the picture nothing. */
const mostSoundShare = 0.4
/** What encoders can still do something with. */
const leastAudioBits = 24_000
const leastVideoBits = 4_000

/** How a number of bytes is shared out between picture and sound. */
export function fitRates(bytes: number, request: RateRequest): Rates {
  const { format, quality, seconds, hasSound } = request
  const bits = (bytes * 8 * (1 - containerShare)) / Math.max(seconds, 0.04)
  const wanted = hasSound ? audioKilobits(format, quality, 2) * 1000 : 0
  const audioBits = hasSound ? Math.max(leastAudioBits, Math.min(wanted, bits * mostSoundShare)) : 0
  return { videoBits: Math.max(leastVideoBits, Math.round(bits - audioBits)), audioBits }
}

/** Takes the place of a quality: the mean over the video, with room for lively moments. */
export function pictureRate({ videoBits }: Rates): string[] {
  return [
    ...['-b:v', String(videoBits), '-maxrate:v', String(videoBits * 2)],
    ...['-bufsize:v', String(videoBits * 2)],
  ]
}
