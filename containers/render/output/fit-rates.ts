import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import type { OutputTrack } from '../../graph/compile-args.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { RenderCaps } from '../render-sources.ts'
import type { RenderState } from '../render-state.ts'
import { audioKilobits } from './encoding.ts'

/** What a track of the result depends on, beside the steps that made its stream. */
export type CodingInput = {
  /** The facts of the first clip. */
  readonly facts: MediaFacts
  readonly options: ProcessingOptions
  readonly caps: RenderCaps
}

export type PlannedTrack = { readonly coding: 'copy' | 'encode'; readonly track: OutputTrack }

type RateRequest = {
  readonly format: VideoFormat
  readonly quality: number
  readonly seconds: number
  readonly hasSound: boolean
}

/** Bits per second. */
type Rates = { readonly videoBits: number; readonly audioBits: number }

/** The share of headers, tables and packet overhead. */
const containerShare = 0.02
/** The sound gets at most this share, so that enough is left for the picture. */
const mostSoundShare = 0.4
/** The lowest rates at which encoders still work. */
const leastAudioBits = 24_000
const leastVideoBits = 4_000

export function rateRequest(state: RenderState, { options }: CodingInput): RateRequest {
  const { outputFormat: format, compressionQuality: quality } = options
  return { format, quality, seconds: state.durationSeconds, hasSound: state.audio !== undefined }
}

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
