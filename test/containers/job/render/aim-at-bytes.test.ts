import { describe, expect, it } from 'vitest'
import {
  follow,
  type RenderTry,
  type Outcome,
} from '../../../../containers/job/render/render-try.ts'
import { aimAtBytes } from '../../../../containers/job/render/aim-at-bytes.ts'

/** Shares out a thousand bytes with an encoder that makes of what it is given what `bytesOf` says, run by run. */
async function sharedOut(outcomeOf: (aimed: number) => number | 'refused') {
  const aims: number[] = []
  const course = aimAtBytes({
    mayTake: 1000,
    bytesOf: ({ pictureBytes }) => pictureBytes,
    attemptAt: (aimed) => {
      aims.push(Math.round(aimed))
      return { plan: { aimed }, how: 'whole' } as unknown as RenderTry
    },
  })
  const made = await follow(course, async ({ plan, mayBeRefused }) => {
    expect(mayBeRefused).toBe(true)
    const bytes = outcomeOf((plan as unknown as { aimed: number }).aimed)
    const encoded = { result: aims.length, pictureBytes: bytes } as unknown as Outcome
    return Promise.resolve(bytes === 'refused' ? { why: 'too few' } : encoded)
  })
  return { made, aims }
}

describe('sharing out the bytes that a result may have', () => {
  it('takes one run where the encoder keeps to them', async () => {
    expect(await sharedOut((aimed) => aimed * 1.02)).toEqual({ made: 1, aims: [990] })
  })

  it('takes one run where the encoder makes a few hundredths more, as of a few seconds of noise', async () => {
    expect(await sharedOut((aimed) => aimed * 1.05)).toEqual({ made: 1, aims: [990] })
  })

  it('runs again by how much the first run has missed them, above or far below', async () => {
    const missing = (miss: number) => async () => sharedOut((aimed) => aimed * miss)
    expect(await missing(1.3)()).toEqual({ made: 2, aims: [990, 762] })
    expect(await missing(0.7)()).toEqual({ made: 2, aims: [990, 1414] })
  })

  it('leaves it where the encoder refuses so few bytes, or where fewer change nothing', async () => {
    expect(await sharedOut(() => 'refused')).toEqual({ made: undefined, aims: [990] })
    expect((await sharedOut(() => 5000)).made).toBeUndefined()
    expect((await sharedOut(() => 5000)).aims).toHaveLength(2)
  })
})
