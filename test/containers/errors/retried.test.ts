import { describe, expect, it } from 'vitest'
import { retried } from '../../../containers/errors/retried.ts'

/** Work that fails as often as there are faults, and then says how often it was asked. */
function failing(...faults: Error[]) {
  let asked = 0
  const work = async (): Promise<number> => {
    const fault = faults[asked++]
    if (fault) throw fault
    return asked
  }
  return { work, asked: () => asked }
}

const { signal } = new AbortController()

function waitAfter(error: unknown, pauseMs: number | undefined): number {
  if (pauseMs === undefined) throw new Error('given up', { cause: error })
  return pauseMs
}

describe('retried', () => {
  it('asks again after each pause until the work succeeds', async () => {
    const { work } = failing(new Error('one'), new Error('two'))
    expect(await retried({ pausesMs: [0, 0, 0], signal, waitAfter }, work)).toBe(3)
  })

  it('fails as it is told when no pause is left, with the last failure', async () => {
    const last = new Error('two')
    const { work, asked } = failing(new Error('one'), last, new Error('three'))
    const tried = retried({ pausesMs: [0], signal, waitAfter }, work)
    await expect(tried).rejects.toThrow(new Error('given up', { cause: last }))
    expect(asked()).toBe(2)
  })

  it('ends a pause at the signal, and asks no more', async () => {
    const controller = new AbortController()
    const { work, asked } = failing(new Error('one'))
    const tried = retried({ pausesMs: [3_600_000], signal: controller.signal, waitAfter }, work)
    controller.abort()
    await expect(tried).rejects.toThrow('given up')
    expect(asked()).toBe(1)
  })
})
