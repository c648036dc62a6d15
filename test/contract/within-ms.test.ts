import { describe, expect, it } from 'vitest'
import { withinMs } from '../../worker/contract/within-ms.ts'

const never = new Promise<string>(() => undefined)

describe('withinMs', () => {
  it('gives the result of the work if it is in time', async () => {
    expect(await withinMs(60_000, Promise.resolve('done'))).toBe('done')
    await expect(withinMs(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('throws when the time is over, or gives what was named for that case', async () => {
    await expect(withinMs(1, never)).rejects.toThrow('no answer within 0.001 seconds')
    expect(await withinMs(1, never, () => 'late')).toBe('late')
    const late = withinMs(1, never, () => {
      throw new Error('too slow')
    })
    await expect(late).rejects.toThrow('too slow')
  })
})
