import { describe, expect, it } from 'vitest'
import { JobError } from '../../../../containers/errors/job-error.ts'
import { shareOut } from '../../../../containers/job/render/render-in-budget.ts'

/** An encoder whose results have this many times the bytes that they are to have, run by run. */
function encoder(...misses: number[]) {
  const aims: number[] = []
  const render = async (aimed: number) => {
    aims.push(Math.round(aimed))
    const pictureBytes = aimed * (misses[aims.length - 1] ?? misses.at(-1) ?? 1)
    return Promise.resolve({ result: aims.length, pictureBytes })
  }
  return { aims, render }
}

describe('sharing out the bytes that a result may have', () => {
  it('takes one run where the encoder keeps to them', async () => {
    const { aims, render } = encoder(1.02)
    expect(await shareOut(1000, render)).toEqual({ result: 1, isWithin: true })
    expect(aims).toEqual([1020])
  })

  it('runs again by how much the first run has missed them, above or far below', async () => {
    const above = encoder(1.3)
    expect(await shareOut(1000, above.render)).toEqual({ result: 2, isWithin: true })
    expect(above.aims).toEqual([1020, 785])
    const below = encoder(0.7)
    expect(await shareOut(1000, below.render)).toEqual({ result: 2, isWithin: true })
    expect(below.aims).toEqual([1020, 1457])
  })

  it('leaves it where the encoder refuses so few bytes, and hides no other error', async () => {
    const refusing = async () => Promise.reject(new JobError('source_undecodable', 'Too few.'))
    expect(await shareOut(1000, refusing)).toBeUndefined()
    const stopped = async () => Promise.reject(new Error('stopped'))
    await expect(shareOut(1000, stopped)).rejects.toThrow('stopped')
  })

  it('gives up where fewer bytes change nothing', async () => {
    const aims: number[] = []
    const render = async (aimed: number) => {
      aims.push(aimed)
      return Promise.resolve({ result: aims.length, pictureBytes: 5000 })
    }
    expect(await shareOut(1000, render)).toEqual({ result: 2, isWithin: false })
  })
})
