import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../worker/upload/byte-window.ts'
import { PacedSource } from '../../../worker/upload/paced-source.ts'
import { arriving } from '../../support/worker/forms/byte-pieces.ts'

const aBuffer = () => new Uint8Array(1024)

/** One byte at a time, and each takes a second of the injected clock. */
function dripping() {
  const source = arriving(new Uint8Array(1000))
  const clock = { now: 0 }
  const drip: ByteSource = {
    async readAtLeast(_, view) {
      clock.now += 1000
      return source.readAtLeast(1, view)
    },
  }
  return { drip, clock }
}

async function bytesBeforeRefusal(source: PacedSource): Promise<number> {
  let bytes = 0
  for (;;) {
    const read = await source.readAtLeast(100, aBuffer()).catch(() => undefined)
    if (!read || read.done) return bytes
    bytes += read.value?.byteLength ?? 0
  }
}

describe('PacedSource', () => {
  it('refuses a body that does not arrive, and says how fast it must be', async () => {
    const silent: ByteSource = { readAtLeast: async () => new Promise<never>(() => undefined) }
    const source = new PacedSource(silent, { bytes: 100, withinMs: 20 })
    const every = 'every 100 bytes of it within 0.02 seconds'
    await expect(source.readAtLeast(1, aBuffer())).rejects.toMatchObject({
      status: 400,
      message: `The body came too slowly: it must arrive, ${every}.`,
      details: [{ field: 'body', message: `Must keep arriving, ${every}` }],
    })
  })

  it('refuses a body that arrives too slowly, however often something comes', async () => {
    const { drip, clock } = dripping()
    const source = new PacedSource(drip, { bytes: 100, withinMs: 10_000 }, () => clock.now)
    expect(await bytesBeforeRefusal(source)).toBe(9)
  })

  it('gives each stretch of bytes its own time', async () => {
    const { drip, clock } = dripping()
    const source = new PacedSource(drip, { bytes: 10, withinMs: 10_001 }, () => clock.now)
    expect(await bytesBeforeRefusal(source)).toBe(1000)
  })

  it('does not count the time between two reads', async () => {
    const clock = { now: 0 }
    const source = new PacedSource(
      arriving(new Uint8Array(1000)),
      { bytes: 500, withinMs: 1000 },
      () => clock.now,
    )
    for (let i = 0; i < 10; i++) {
      clock.now += 60_000
      expect((await source.readAtLeast(100, aBuffer())).value).toHaveLength(100)
    }
  })
})
