import { blocksPerSecond } from '../level/block-meter.ts'
import type { MusicIn } from '../pauses/find-pauses.ts'
import { speechBlock } from '../pauses/heard-blocks.ts'
import type { SampleSpan } from '../dsp/pcm.ts'
import { withSpeechSamples } from '../read-speech.ts'
import { merged } from '../../numbers/spans.ts'
import { runsOf, type BlockRun } from '../dsp/runs.ts'
import { toneFrameSamples, toneHop, tonesIn, type ReadSpeech, type Tones } from './tones.ts'
import { meanOf } from '../../numbers/mean.ts'

/** A sound is music if steady tones make up this share of its power over a second and a half … */
const leastStill = 0.45
const meanOfHops = 12
/** … or if the tones around it lie on the notes of a scale this clearly, and make up this share of the power. */
const leastClarity = 2.6
const leastShare = 0.2
/** "Around it" means this many hops of what may be music. Voices interrupt it, so they may lie far apart … */
const hopsNearby = 128
/** … but no further than this, within which the same piece is likely to go on. */
const samePiece = 20 * blocksPerSecond
/** Notes with a shorter rest between them belong to one piece. */
const rest = blocksPerSecond
/** Music that begins or ends inside a frame is only detected in the next one, so a piece is extended by this much. */
const unseen = 0.4 * blocksPerSecond

/** Looks for music in the file of the speech sound. `sourceOf` gives the sample at which a block begins there. */
export function musicIn(
  file: string,
  sourceOf: (block: number) => number,
  signal: AbortSignal,
): MusicIn {
  return async (stretches) => {
    if (stretches.length === 0) return []
    return withSpeechSamples(file, async (readSamples) => {
      const read: ReadSpeech = async (span) => {
        signal.throwIfAborted()
        return readSamples(span)
      }
      const hops: Hop[] = []
      for (const stretch of stretches) {
        for (const { source, run } of unbroken(stretch, sourceOf)) {
          const tones = await tonesIn(read, source)
          hops.push(...tones.map((tone, i) => ({ tone, run, ...blocksOf(i, run) })))
        }
      }
      return musicOf(hops)
    })
  }
}

/** The tones of one frame, and its place in blocks. `run` is the unbroken stretch that they were heard in. */
type Hop = BlockRun & { readonly tone: Tones; readonly run: BlockRun }

function blocksOf(hop: number, { from, to }: BlockRun): BlockRun {
  const start = from + Math.round((hop * toneHop) / speechBlock)
  return { from: start, to: Math.min(to, start + Math.round(toneFrameSamples / speechBlock)) }
}

async function musicOf(hops: readonly Hop[]): Promise<BlockRun[]> {
  const musical = await runsOf(
    { from: 0, to: hops.length },
    (i) => isStill(hops, i) || isTune(hops, i),
  )
  const heard = musical.flatMap(({ from, to }) => hops.slice(from, to))
  return merged(
    heard.map(({ from, to, run }) => ({
      from: Math.max(run.from, from - unseen),
      to: Math.min(run.to, to + unseen),
    })),
    rest,
  )
}

function isStill(hops: readonly Hop[], at: number): boolean {
  const near = around(hops, at, meanOfHops).filter(({ run }) => run === hops[at]?.run)
  return meanOf(near.map(({ tone }) => tone.stillShare)) >= leastStill
}

function isTune(hops: readonly Hop[], at: number): boolean {
  const here = hops[at]?.from ?? 0
  const near = around(hops, at, hopsNearby).filter(({ from }) => Math.abs(from - here) < samePiece)
  if (meanOf(near.map(({ tone }) => tone.share)) < leastShare) return false
  return noteClarity(near.flatMap(({ tone }) => tone.pitches)) >= leastClarity
}

const around = (hops: readonly Hop[], at: number, count: number): readonly Hop[] =>
  hops.slice(Math.max(0, at - count / 2), at + count / 2)

/** A stretch may span parts that were cut out, but a frame must not: this splits it there. */
function unbroken(
  { from, to }: BlockRun,
  sourceOf: (block: number) => number,
): { run: BlockRun; source: SampleSpan }[] {
  const pieces: { run: BlockRun; source: SampleSpan }[] = []
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

/** An octave has twelve notes; tones are counted in tenths of the distance between two of them. */
const cells = 10

/**
 * How clearly tones are notes: those of music are whole semitones apart, however it is tuned; those of voices, horns and drops
 * of water are anywhere. Each pitch counts once, and a little more for every time it occurs, so that a hum is few tones. For
 * random tones this is 1, and more than 2.6 once in 900 times (Rayleigh's test).
 */
function noteClarity(pitches: Iterable<number>): number {
  const times = new Map<number, number>()
  for (const pitch of pitches) times.set(pitch, (times.get(pitch) ?? 0) + 1)
  let [real, imaginary, squares] = [0, 0, 0]
  for (const [pitch, count] of times) {
    const weight = Math.log1p(count)
    const angle = (2 * Math.PI * pitch) / cells
    real += weight * Math.cos(angle)
    imaginary += weight * Math.sin(angle)
    squares += weight ** 2
  }
  return squares > 0 ? Math.hypot(real, imaginary) / Math.sqrt(squares) : 0
}
