import { setImmediate as nextTurn } from 'node:timers/promises'
import { blockColumns, blockSamples, emptyRows, type SoundBlocks } from '../level/block-meter.ts'
import type { SampleSpan } from '../dsp/pcm.ts'
import { totalLength } from '../../numbers/spans.ts'

/** Takes about 10 ms, so that other work gets its turn. */
const blocksPerTurn = 20_000

/**
 * Computes the blocks of the sound that the kept spans leave, without reading the samples again: the power of a block
 * is divided by how much of it falls into which new block.
 */
export async function keepBlocks(
  blocks: SoundBlocks,
  kept: readonly SampleSpan[],
): Promise<SoundBlocks> {
  const samples = totalLength(kept)
  const count = Math.ceil(samples / blockSamples)
  const result = { count, ...emptyRows(count) }
  let target = 0
  let turns = 0
  for (const { from, to } of kept) {
    let at = from
    while (at < to) {
      const source = Math.floor(at / blockSamples)
      const block = Math.floor(target / blockSamples)
      const length = Math.min(
        to - at,
        (source + 1) * blockSamples - at,
        (block + 1) * blockSamples - target,
      )
      if (source < blocks.count) addShare(result, block, blocks, source, length / blockSamples)
      at += length
      if (++turns % blocksPerTurn === 0) await nextTurn()
      target += length
    }
  }
  return result
}

function addShare(
  into: SoundBlocks,
  block: number,
  from: SoundBlocks,
  source: number,
  share: number,
): void {
  for (const column of blockColumns) {
    const value = from[column][source] ?? 0
    const before = into[column][block] ?? 0
    into[column][block] = column === 'peak' ? Math.max(before, value) : before + value * share
  }
}
