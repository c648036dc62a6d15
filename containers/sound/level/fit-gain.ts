import type { SoundBlocks } from './block-meter.ts'
import { inTurns } from '../dsp/in-turns.ts'
import { integratedLoudness } from './loudness.ts'

/** A quieter sound is only the noise of a room, and must not become a loud one. */
export const leastLoudness = -60

/** The limiter releases this share of its reduction in 10 ms. */
const releaseShare = 0.2

/** The target loudness in LUFS, and the highest peaks before encoding. */
export type Level = { readonly target: number; readonly ceilingDb: number }

type GainFit = {
  readonly gainDb: number
  /** How much the limiter is expected to reduce the loudness. */
  readonly limitedDb: number
}

/** Estimates, from the blocks of a sound, the gain that brings it to the target after a limiter. */
export async function fitGain(blocks: SoundBlocks, { target, ceilingDb }: Level): Promise<GainFit> {
  const loudness = await integratedLoudness(blocks.loudness.subarray(0, blocks.count))
  const linearGain = target - loudness
  const atLinear = await limitedLoudness(blocks, linearGain, ceilingDb)
  if (target - atLinear < 0.05) {
    return { gainDb: linearGain, limitedDb: target - atLinear }
  }
  let low = linearGain
  let high = linearGain + 24
  for (let i = 0; i < 8; i++) {
    const middle = (low + high) / 2
    if ((await limitedLoudness(blocks, middle, ceilingDb)) < target) low = middle
    else high = middle
  }
  return { gainDb: (low + high) / 2, limitedDb: loudness + (low + high) / 2 - target }
}

/** The loudness after a gain and a limiter that looks ahead, reacts at once and releases slowly. */
async function limitedLoudness(
  blocks: SoundBlocks,
  gainDb: number,
  ceilingDb: number,
): Promise<number> {
  const gain = 10 ** (gainDb / 20)
  const ceiling = 10 ** (ceilingDb / 20)
  const powers = new Float32Array(blocks.count)
  let grip = 1
  await inTurns(blocks.count, (from, to) => {
    for (let i = from; i < to; i++) {
      const loudest = Math.max(blocks.peak[i] ?? 0, blocks.peak[i + 1] ?? 0) * gain
      const needed = loudest > ceiling ? ceiling / loudest : 1
      grip = Math.min(needed, grip + (1 - grip) * releaseShare)
      powers[i] = (blocks.loudness[i] ?? 0) * (gain * grip) ** 2
    }
  })
  return integratedLoudness(powers)
}
