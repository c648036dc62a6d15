import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { RenderCaps } from '../render-sources.ts'
import type { RenderOptions } from '../render-state.ts'
import type { OutputTrack } from '../../graph/output-track.ts'

/** Everything on which the coding of a track depends, besides the steps that made its stream. */
export type CodingInput = {
  /** The facts of the first clip. */
  readonly facts: MediaFacts
  readonly options: RenderOptions
  readonly caps: RenderCaps
}

export type PlannedTrack = { readonly coding: 'copy' | 'encode'; readonly track: OutputTrack }

/** The share of headers, tables and packet overhead. */
const containerShare = 0.02
/** The sound gets at most this share, so that enough is left for the picture. */
const mostSoundShare = 0.4
/** The lowest rates at which encoders still work. */
const leastAudioBits = 24_000
const leastVideoBits = 4_000

/** Bits a second that pictures and sound may take together; undefined without a limit. */
export function bitsAllowed(
  { options: { maxBitrate }, caps: { fitBytes } }: Pick<CodingInput, 'options' | 'caps'>,
  seconds: number,
): number | undefined {
  const fitting = fitBytes === undefined ? undefined : (fitBytes * 8) / Math.max(seconds, 0.04)
  const rates = [fitting, maxBitrate].filter((rate) => rate !== undefined)
  return rates.length === 0 ? undefined : Math.min(...rates) * (1 - containerShare)
}

/** The share of these bits for a sound that would need `wanted`. */
export function soundBits(allowed: number | undefined, wanted: number): number {
  if (allowed === undefined) return wanted
  return Math.max(leastAudioBits, Math.min(wanted, allowed * mostSoundShare))
}

/** The bits that the sound leaves for the pictures. */
export function pictureBits(allowed: number, ofSound: number): number {
  return Math.max(leastVideoBits, Math.round(allowed - ofSound))
}
