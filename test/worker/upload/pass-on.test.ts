import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../worker/upload/byte-window.ts'
import { passOn } from '../../../worker/upload/receive-part.ts'
import { arriving, seededNumbers } from '../../support/worker/forms/byte-pieces.ts'

const length = 1_000_003

describe('passOn', () => {
  it('passes on every byte unchanged', async () => {
    const number = seededNumbers(1)
    const bytes = Uint8Array.from({ length }, () => number(256))
    const { readable, writable } = new FixedLengthStream(length)
    const passed = passOn(arriving(bytes), writable)
    expect(new Uint8Array(await new Response(readable).arrayBuffer())).toEqual(bytes)
    await passed
  })

  it('throws the reason why the source ended, and aborts the stream', async () => {
    const few = arriving(new Uint8Array(300_000))
    let reads = 0
    const breaking: ByteSource = {
      async readAtLeast(...asked) {
        if (reads++ > 0) throw new Error('too slow')
        return few.readAtLeast(...asked)
      },
    }
    const { readable, writable } = new FixedLengthStream(length)
    const outcomes = await Promise.allSettled([
      passOn(breaking, writable),
      new Response(readable).arrayBuffer(),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { message: 'too slow' } },
      { status: 'rejected' },
    ])
  })
})
