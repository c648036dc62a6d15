import { describe, expect, it } from 'vitest'
import { findPauses } from '../../../../containers/sound/pauses/find-pauses.ts'
import type { HeardBlocks } from '../../../../containers/sound/pauses/heard-blocks.ts'

/** A stretch of blocks of 10 ms: how long, how loud in every band, and how sure the detector is of a voice. */
type Stretch = readonly [blocks: number, levelDb: number, voice: number]

function heardOf(stretches: readonly Stretch[], { isDeaf = false } = {}): HeardBlocks {
  const column = (valueOf: (stretch: Stretch) => number): Float32Array =>
    Float32Array.from(
      stretches.flatMap((stretch) => Array<number>(stretch[0]).fill(valueOf(stretch))),
    )
  const powers = column(([, levelDb]) => 10 ** (levelDb / 10))
  const voice = isDeaf ? undefined : column(([, , probability]) => probability)
  return { count: powers.length, voice, loudness: powers, bands: [powers, powers, powers] }
}

const pausesOf = async (stretches: readonly Stretch[]) =>
  findPauses(heardOf(stretches), async () => [])

describe('findPauses', () => {
  it('leaves 0.15 s after a voice and 0.2 s before the next, and nothing at the beginning and the end', async () => {
    const said: Stretch = [100, -20, 0.9]
    const quiet: Stretch = [200, -80, 0.01]
    const { kind, pauses } = await pausesOf([quiet, said, quiet, said, quiet])
    expect(kind).toBe('between-voices')
    // The level of a voice reaches two blocks further by smoothing.
    expect(pauses).toEqual([
      { from: 0, to: 178 },
      { from: 317, to: 478 },
      { from: 617, to: 800 },
    ])
  })

  it('decides by the voice, not by the level: noise as loud as a voice is a pause, and a whisper is not', async () => {
    const said: Stretch = [100, -20, 0.9]
    const { pauses } = await pausesOf([said, [300, -22, 0.02], said, [100, -50, 0.6], said])
    expect(pauses).toHaveLength(1)
    expect(pauses[0]?.from).toBeGreaterThanOrEqual(112)
    expect(pauses[0]?.to).toBeLessThanOrEqual(384)
  })

  it('keeps a word to its end, and the ringing of a room after it', async () => {
    const said: Stretch = [100, -20, 0.9]
    const rings: Stretch[] = [0, 1, 2, 3, 4].map((i) => [6, -26 - 6 * i, 0.01])
    const { pauses } = await pausesOf([said, ...rings, [300, -80, 0.01], said])
    expect(pauses[0]?.from).toBeGreaterThan(100 + 20 + 12)
  })

  it('finds no pause that would be cut by less than 0.3 s', async () => {
    const said: Stretch = [100, -20, 0.9]
    const cutOf = async (blocks: number) =>
      (await pausesOf([said, [blocks, -80, 0.01], said])).pauses
    expect(await cutOf(60)).toEqual([])
    const [only] = await cutOf(70)
    expect((only?.to ?? 0) - (only?.from ?? 0)).toBeGreaterThanOrEqual(30)
  })

  it('keeps a sound that is as loud as the voice and stands out', async () => {
    const said: Stretch = [100, -20, 0.9]
    const quiet: Stretch = [200, -60, 0.01]
    const { pauses } = await pausesOf([said, quiet, [60, -22, 0.03], quiet, said])
    expect(pauses).toHaveLength(2)
    expect(pauses.every(({ from, to }) => to <= 300 || from >= 360)).toBe(true)
  })

  it('looks for music only in sound loud enough to be meant, and keeps that music', async () => {
    const said: Stretch = [100, -20, 0.9]
    const asked: unknown[] = []
    const heard = heardOf([said, [300, -30, 0.01], said, [300, -50, 0.01], said])
    const { pauses } = await findPauses(heard, async (stretches) => {
      asked.push(...stretches)
      return stretches
    })
    expect(asked).toHaveLength(1)
    expect(pauses).toHaveLength(1)
    expect(pauses[0]?.from).toBeGreaterThan(500)
  })

  it('does not take drops of rain next to a voice for the end of its word', async () => {
    const said: Stretch = [100, -20, 0.9]
    const drops = Array.from({ length: 60 }, (_, i): Stretch => [
      5,
      Math.sin(i * i) > 0.5 ? -32 : -38,
      0.01,
    ])
    const steady = (await pausesOf([said, [300, -38, 0.01], said])).pauses[0]
    const rain = (await pausesOf([said, ...drops, said])).pauses[0]
    expect(rain?.from).toBeLessThan((steady?.from ?? 0) + 10)
    expect(rain?.to).toBeGreaterThan((steady?.to ?? 0) - 10)
  })

  it('keeps drums 12 dB below the voice, although they have no tones', async () => {
    const said: Stretch = [100, -20, 0.9]
    const bars = (beat: (i: number) => number): Stretch[] =>
      Array.from({ length: 16 }, (_, i): Stretch[] => [
        [4, -25, 0.01],
        [beat(i), -38, 0.01],
      ]).flat()
    const drums = bars(() => 30)
    const { pauses } = await pausesOf([said, ...drums, said, ...drums, said])
    expect(pauses).toEqual([])
    // As much and as loud, but whenever it likes: something that falls.
    const clatter = bars((i) => 12 + ((i * i * 7) % 37))
    expect((await pausesOf([said, ...clatter, said, ...clatter, said])).pauses).not.toEqual([])
  })

  it('cuts music that is far softer than the voice', async () => {
    const said: Stretch = [100, -20, 0.9]
    const heard = heardOf([said, [300, -43, 0.01], said])
    const { pauses } = await findPauses(heard, async (stretches) => stretches)
    expect(pauses).toHaveLength(1)
  })

  it('does not take a single moment for a voice, and then cuts only silence', async () => {
    const rain: Stretch = [500, -30, 0.05]
    const drop: Stretch = [20, -25, 0.95]
    const { kind, pauses } = await pausesOf([rain, drop, rain, [300, -90, 0.01], rain])
    expect(kind).toBe('without-voices')
    expect(pauses).toEqual([{ from: 1_040, to: 1_295 }])
  })

  it('recognises a recording that is completely silent', async () => {
    const nothing = await pausesOf([[300, -100, 0]])
    expect(nothing).toEqual({ kind: 'all-silent', pauses: [] })
    const deaf = await findPauses(heardOf([[300, -30, 0]], { isDeaf: true }), async () => [])
    expect(deaf).toEqual({ kind: 'without-voices', pauses: [] })
  })
})
