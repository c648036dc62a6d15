import { blockSamples, type SoundBlocks } from '../level/block-meter.ts'
import { inTurns } from '../dsp/in-turns.ts'
import { keepBlocks } from './keep-blocks.ts'
import { workedRate, type SampleSpan } from '../dsp/pcm.ts'
import { speechRate, type SpeechSound } from '../speech-sound.ts'

/** The measurements of every 10 ms of the raw sound. Powers are mean squares. */
export type HeardBlocks = {
  readonly count: number
  /** The probability that somebody speaks, 0 … 1; undefined if the detector failed. */
  readonly voice: Float32Array | undefined
  /** K-weighted. */
  readonly loudness: Float32Array
  /** The power in three bands: that of the voice's pitch, of vowels, and of sibilants. */
  readonly bands: readonly Float32Array[]
}

type PlacedBlocks = {
  readonly heard: HeardBlocks
  /** The first sample of a block in the speech sound. */
  readonly sourceOf: (block: number) => number
}

/** The measurements of the kept parts of the raw sound, in blocks of 10 ms. */
export async function heardBlocks(
  { blocks, speech: { activity } }: { blocks: SoundBlocks; speech: SpeechSound },
  kept: readonly SampleSpan[],
): Promise<PlacedBlocks> {
  const { count, loudness, low, middle, high } = await keepBlocks(blocks, kept)
  const sources = await sourcesOf(kept, count)
  const sourceOf = (block: number): number => sources[block] ?? 0
  const voice = activity && new Float32Array(count)
  await inTurns(voice && activity ? count : 0, (from, to) => {
    if (!voice || !activity) return
    const { blockSamples: length, probabilities } = activity
    for (let i = from; i < to; i++) {
      const middleOfBlock = sourceOf(i) + speechBlock / 2
      voice[i] = probabilities[Math.floor(middleOfBlock / length)] ?? 0
    }
  })
  return { heard: { count, voice, loudness, bands: [low, middle, high] }, sourceOf }
}

/** The length of a block in samples of the speech sound. */
export const speechBlock = (blockSamples / workedRate) * speechRate

async function sourcesOf(kept: readonly SampleSpan[], count: number): Promise<Float64Array> {
  const sources = new Float64Array(count)
  let [span, before] = [0, 0]
  await inTurns(count, (first, last) => {
    for (let block = first; block < last; block++) {
      const at = block * blockSamples
      let { from, to } = kept[span] ?? { from: 0, to: 0 }
      while (at >= before + to - from && span + 1 < kept.length) {
        before += to - from
        span += 1
        ;({ from, to } = kept[span] ?? { from: 0, to: 0 })
      }
      sources[block] = Math.round(((from + at - before) / workedRate) * speechRate)
    }
  })
  return sources
}
