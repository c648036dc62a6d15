import { describe, expect, it } from 'vitest'
import { drain, letAnswerPass } from '../../../worker/upload/drain.ts'
import type { ByteSource } from '../../../worker/upload/byte-window.ts'
import { arriving } from '../../support/worker/forms/byte-pieces.ts'

const never = new Promise<never>(() => undefined)

function counted(source = arriving(new Uint8Array(1_000_000), (below) => below - 1)) {
  const read = { bytes: 0 }
  return {
    read,
    source: {
      async readAtLeast(...asked: Parameters<typeof source.readAtLeast>) {
        const answer = await source.readAtLeast(...asked)
        read.bytes += answer.value?.length ?? 0
        return answer
      },
    },
  }
}

describe('drain', () => {
  it('reads a body to its end', async () => {
    const { read, source } = counted()
    await drain(source, { bytes: 10_000_000, timeUp: never })
    expect(read.bytes).toBe(1_000_000)
  })

  it('stops at a number of bytes', async () => {
    const { read, source } = counted()
    await drain(source, { bytes: 300_000, timeUp: never })
    expect(read.bytes).toBeLessThan(600_000)
  })

  it('stops when the time is up, even if nothing comes', async () => {
    await drain({ readAtLeast: async () => never }, { bytes: 1, timeUp: Promise.resolve() })
  })

  it('ends with the connection', async () => {
    const gone = { readAtLeast: async () => Promise.reject(new Error('Network connection lost.')) }
    await drain(gone, { bytes: 1, timeUp: never })
  })
})

describe('letAnswerPass', () => {
  const noted = (readAtLeast: ByteSource['readAtLeast']) => {
    const noted = { cancels: 0, readAtLeast, cancel: async () => void noted.cancels++ }
    return noted
  }

  it('closes the body of a client that sends nothing more', async () => {
    const silent = noted(async () => never)
    await letAnswerPass(silent, { totalMs: 10_000, silenceMs: 1 })
    expect(silent.cancels).toBe(1)
  })

  it('does not close the body of a client that has finished, has gone, or keeps sending', async () => {
    const through = counted()
    const endless = counted(arriving(new Uint8Array(8_000_000), (below) => below - 1))
    const bodies = [
      noted(async (...asked) => through.source.readAtLeast(...asked)),
      noted(async () => Promise.reject(new Error('Network connection lost.'))),
      noted(async (...asked) => endless.source.readAtLeast(...asked)),
    ]
    const totals = [10_000, 10_000, 0]
    for (const [i, body] of bodies.entries()) {
      await letAnswerPass(body, { totalMs: totals[i] ?? 0, silenceMs: 5_000 })
      expect(body.cancels).toBe(0)
    }
    expect([through.read.bytes, endless.read.bytes]).toEqual([1_000_000, 0])
  })
})
