import { describe, expect, it } from 'vitest'
import type { SoundBlocks } from '../../../containers/sound/block-meter.ts'
import { findSilences } from '../../../containers/sound/find-silences.ts'

type Runs = readonly (readonly [levelDb: number, count: number])[]

/** Blocks of 10 ms at these levels, in dB, as often as said. */
function powersOf(runs: Runs): Float32Array {
  return Float32Array.from(
    runs.flatMap(([level, count]) => Array.from({ length: count }, () => 10 ** (level / 10))),
  )
}

function blocks(runs: Runs, highRuns: Runs = []): SoundBlocks {
  const low = powersOf(runs)
  const nothing = new Float32Array(low.length)
  const high = highRuns.length > 0 ? powersOf(highRuns) : nothing
  return { count: low.length, loudness: nothing, peak: nothing, low, middle: nothing, high }
}

describe('findSilences', () => {
  it('leaves 0.2 s on both sides of a pause, and nothing at the ends', async () => {
    const heard = await findSilences(
      blocks([
        [-70, 100],
        [-20, 100],
        [-70, 100],
        [-20, 100],
        [-70, 100],
      ]),
    )
    expect(heard).toEqual({
      kind: 'pauses',
      silences: [
        { startSeconds: 0, endSeconds: 0.8 },
        { startSeconds: 2.2, endSeconds: 2.8 },
        { startSeconds: 4.2, endSeconds: 5 },
      ],
    })
  })

  it('takes no pause shorter than half a second', async () => {
    const pausing = (count: number) =>
      findSilences(
        blocks([
          [-20, 100],
          [-70, count],
          [-20, 100],
        ]),
      )
    expect(await pausing(45)).toEqual({ kind: 'pauses', silences: [] })
    expect(await pausing(51)).toMatchObject({ silences: [{ startSeconds: 1.2 }] })
  })

  it('leaves more of a pause where noise hides how words begin and end', async () => {
    const heard = await findSilences(
      blocks([
        [-35, 100],
        [-20, 100],
        [-35, 150],
        [-20, 100],
        [-35, 100],
      ]),
    )
    expect(heard).toEqual({
      kind: 'pauses',
      silences: [
        { startSeconds: 0, endSeconds: 0.7 },
        { startSeconds: 2.3, endSeconds: 3.2 },
        { startSeconds: 4.8, endSeconds: 5.5 },
      ],
    })
  })

  it('hears an "s" that hardly rises above the noise of its band', async () => {
    const heard = await findSilences(
      blocks(
        [
          [-45, 100],
          [-20, 100],
          [-45, 200],
        ],
        [
          [-36, 200],
          [-31, 60],
          [-36, 140],
        ],
      ),
    )
    expect(heard).toMatchObject({
      silences: [{ startSeconds: 0 }, { startSeconds: 2.79 }],
    })
  })

  it('sets its threshold by the noise floor', async () => {
    const heard = await findSilences(
      blocks([
        [-32, 200],
        [-20, 100],
        [-28, 60],
        [-20, 100],
        [-32, 200],
      ]),
    )
    // What is 4 dB over the noise between the words belongs to them.
    expect(heard).toMatchObject({ silences: [{ startSeconds: 0 }, { startSeconds: 5 }] })
  })

  it('tells silence and evenness from pauses', async () => {
    expect(await findSilences(blocks([[-90, 300]]))).toEqual({ kind: 'silent' })
    expect(await findSilences(blocks([[-30, 300]]))).toEqual({ kind: 'even' })
    expect(await findSilences(blocks([]))).toEqual({ kind: 'silent' })
  })
})
