import { open } from 'node:fs/promises'
import { blocksPerSecond } from './block-meter.ts'
import type { MusicIn } from './find-pauses.ts'
import { speechBlock } from './heard-blocks.ts'
import type { SampleSpan } from './pcm.ts'
import { samplesOf } from './read-pcm.ts'
import { merged, runsOf, type Run } from './runs.ts'
import { framesBefore, toneHop, tonesIn, type ReadSpeech } from './tones.ts'

/** Music when tones that stand still make up this share of the power of a second and a half. */
const leastShare = 0.45
const meanOfHops = 12
/** Notes with less between them are one piece. */
const rest = blocksPerSecond
/** What begins or ends within a frame is seen with the next one. */
const unseen = 0.4 * blocksPerSecond

/** Looks for music in the file of the speech sound; blocks are where `sourceOf` says. */
export function musicIn(
  file: string,
  sourceOf: (block: number) => number,
  signal: AbortSignal,
): MusicIn {
  return async (stretch) => {
    const handle = await open(file, 'r')
    try {
      const read: ReadSpeech = async ({ from, to }) => {
        signal.throwIfAborted()
        const bytes = Buffer.from(new ArrayBuffer((to - from) * Float32Array.BYTES_PER_ELEMENT))
        await handle.read(bytes, 0, bytes.length, from * Float32Array.BYTES_PER_ELEMENT)
        return samplesOf(bytes, bytes.length)
      }
      const found: Run[] = []
      for (const piece of unbroken(stretch, sourceOf)) {
        found.push(...(await musicOf(await tonesIn(read, piece.source), piece.run)))
      }
      return found
    } finally {
      await handle.close()
    }
  }
}

/** Where the tones are, as blocks of the stretch that they were heard in. */
async function musicOf(shares: readonly number[], { from, to }: Run): Promise<Run[]> {
  const around = (hop: number): number => {
    const near = shares.slice(Math.max(0, hop - meanOfHops / 2), hop + meanOfHops / 2)
    return near.reduce((sum, share) => sum + share, 0) / near.length
  }
  const blockOf = (hop: number): number => from + Math.round((hop * toneHop) / speechBlock)
  const hops = { from: 0, to: shares.length }
  const musical = await runsOf(hops, (hop) => around(hop) >= leastShare)
  return merged(
    musical.map((run) => ({
      from: Math.max(from, blockOf(run.from) - unseen),
      to: Math.min(to, blockOf(run.to + framesBefore + 1) + unseen),
    })),
    rest,
  )
}

/** A stretch may go over parts that were cut out: no frame may. */
function unbroken(
  { from, to }: Run,
  sourceOf: (block: number) => number,
): { run: Run; source: SampleSpan }[] {
  const pieces: { run: Run; source: SampleSpan }[] = []
  let first = from
  for (let block = from + 1; block <= to; block++) {
    const isNext = Math.abs(sourceOf(block) - sourceOf(block - 1) - speechBlock) <= 1
    if (block < to && isNext) continue
    const source = { from: sourceOf(first), to: sourceOf(block - 1) + speechBlock }
    pieces.push({ run: { from: first, to: block }, source })
    first = block
  }
  return pieces
}
