import { blocksPerSecond } from './block-meter.ts'
import { inTurns } from '../dsp/in-turns.ts'
import { meanOf } from '../../numbers/mean.ts'

/** Blocks of 400 ms that start every 100 ms, as BS.1770 asks. */
const stepBlocks = blocksPerSecond / 10
const stepsPerBlock = 4
const absoluteGate = -70
const relativeGate = -10

/** The loudness of silence. */
export const noLoudness = Number.NEGATIVE_INFINITY

export function loudnessOfPower(power: number): number {
  return power > 0 ? 10 * Math.log10(power) - 0.691 : noLoudness
}

/** The integrated loudness in LUFS from K-weighted powers of 10 ms, gated per BS.1770-4. */
export async function integratedLoudness(powers: Float32Array): Promise<number> {
  const blocks = await gatingBlocks(powers)
  const overAbsolute = await meanAbove(blocks, powerOf(absoluteGate))
  if (overAbsolute === 0) return noLoudness
  const gate = Math.max(absoluteGate, loudnessOfPower(overAbsolute) + relativeGate)
  return loudnessOfPower(await meanAbove(blocks, powerOf(gate)))
}

async function gatingBlocks(powers: Float32Array): Promise<Float64Array> {
  const steps = new Float64Array(Math.floor(powers.length / stepBlocks))
  await inTurns(steps.length, (from, to) => {
    for (let i = from; i < to; i++) {
      let sum = 0
      for (let k = 0; k < stepBlocks; k++) sum += powers[i * stepBlocks + k] ?? 0
      steps[i] = sum / stepBlocks
    }
  })
  // A clip shorter than one block counts as one block.
  if (steps.length < stepsPerBlock) return Float64Array.of(meanOf(powers))
  const blocks = new Float64Array(steps.length - stepsPerBlock + 1)
  await inTurns(blocks.length, (from, to) => {
    for (let i = from; i < to; i++) {
      let sum = 0
      for (let k = 0; k < stepsPerBlock; k++) sum += steps[i + k] ?? 0
      blocks[i] = sum / stepsPerBlock
    }
  })
  return blocks
}

function powerOf(loudness: number): number {
  return 10 ** ((loudness + 0.691) / 10)
}

/** The mean of the powers that are at least this large, of those that count; 0 of none. */
export async function meanAbove(
  powers: Float32Array | Float64Array,
  least: number,
  counting?: Uint8Array,
): Promise<number> {
  let sum = 0
  let count = 0
  await inTurns(powers.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const power = powers[i] ?? 0
      if (power < least || counting?.[i] === 0) continue
      sum += power
      count += 1
    }
  })
  return count === 0 ? 0 : sum / count
}
