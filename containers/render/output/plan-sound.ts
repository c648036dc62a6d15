import { mixedDown } from '../../sound/level/limit-peaks.ts'
import { workedFormat } from '../../sound/dsp/pcm.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { RenderState } from '../render-state.ts'
import {
  audioCoding,
  audioKilobits,
  canCopyAudio,
  channelsIn,
  codedSampleRate,
  hiddenDelaySamples,
  leveled,
} from './encoding.ts'
import { bitsAllowed, soundBits, type CodingInput, type PlannedTrack } from './fit-rates.ts'
import { bringsSound } from '../../sound/sound-request.ts'

export type PlannedSound = PlannedTrack & { readonly codedChannels?: number; readonly bits: number }

export function planSound(
  state: RenderState,
  input: CodingInput,
  kept: 'untouched' | 'shortened' | 'changed',
): PlannedSound | undefined {
  if (!state.audio) return undefined
  const { facts, options } = input
  const { outputFormat, compressionQuality } = options
  const sound = kept !== 'changed' && facts.audio ? facts.audio : workedFormat
  const allowed = bitsAllowed(input, state.durationSeconds)
  const channels = sufficing(channelsIn(outputFormat, sound), allowed)
  const bits = soundBits(allowed, qualityBits(state, input, channels))
  const { bitRate = Number.POSITIVE_INFINITY } = facts.audio ?? {}
  const mayBeLarge = compressionQuality === 100 && allowed === undefined
  if (
    kept === 'untouched' &&
    canCopyAudio(facts, outputFormat) &&
    (mayBeLarge || bitRate <= bits)
  ) {
    return {
      coding: 'copy',
      bits: Number.isFinite(bitRate) ? bitRate : bits,
      track: { stream: state.audio, coding: ['-c:a', 'copy'] },
    }
  }
  const stored = { stream: state.audio, channels: sound.channels }
  const mixed = channels < sound.channels ? mixedDown(stored) : state.audio
  const delay = hiddenDelaySamples(outputFormat)
  const timed = delay > 0 ? makeUpDelay(mixed, codedSampleRate(outputFormat, sound), delay) : mixed
  const stream = leveled(timed, outputFormat, bits)
  const coding = audioCoding(outputFormat, { ...sound, channels }, bits)
  return { coding: 'encode', bits, track: { stream, coding }, codedChannels: channels }
}

/** With fewer bits for each channel, an encoder drops parts of sounds with more than two channels, and makes others too loud. */
const leastChannelBits = 20_000

/** The number of channels, if the allowed bits suffice for it, or else two. */
function sufficing(channels: number, allowed: number | undefined): number {
  const most = soundBits(allowed, Number.POSITIVE_INFINITY)
  return channels > 2 && most < channels * leastChannelBits ? 2 : channels
}

/** A sound to which no option adds anything needs no more bits than it had, and somewhat more if its codec was a newer one. */
function qualityBits(state: RenderState, { options }: CodingInput, channels: number): number {
  const { outputFormat, compressionQuality, elements = [] } = options
  const bits = audioKilobits(outputFormat, compressionQuality, channels) * 1000
  const isMixed = elements.some(bringsSound)
  const had = state.clips.map(({ facts }) => soundBitsOf(facts))
  return isMixed || state.isReplaced ? bits : Math.min(bits, Math.max(leastSoundBits, ...had))
}

const leastSoundBits = 64_000
const sameSound = 1.1
const olderSound = 1.5

/** The bits of a sound whose rate is unknown are at most those of the whole file. */
function soundBitsOf({ audio, sizeBytes, durationSeconds }: MediaFacts): number {
  if (!audio) return 0
  const wholeBits = (sizeBytes * 8) / Math.max(durationSeconds, 0.04)
  const had = Math.min(audio.bitRate ?? wholeBits, wholeBits)
  return had * (audio.codec === 'opus' ? olderSound : sameSound)
}

/**
 * A codec adds samples before the sound. If the container cannot say how many to skip, the same number of samples is
 * dropped from the sound, so that it stays in time with the picture. Late sound and gaps become silence, because such a
 * container has no times either.
 */
function makeUpDelay(
  stream: Stream<'audio'>,
  sampleRate: number,
  delaySamples: number,
): Stream<'audio'> {
  return pipeAll(stream, [
    ['aresample', { sample_rate: sampleRate, async: 1, first_pts: 0 }],
    ['atrim', { start_sample: delaySamples }],
    ['asetpts', { expr: 'PTS-STARTPTS' }],
  ])
}
