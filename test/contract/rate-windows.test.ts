import { describe, expect, it } from 'vitest'
import { parseRateLimits } from '../../worker/contract/rate-windows.ts'

describe('parseRateLimits', () => {
  it('reads windows in the order they are written', () => {
    expect(parseRateLimits('100/60,1000/3600')).toEqual([
      { limit: 100, seconds: 60 },
      { limit: 1000, seconds: 3600 },
    ])
  })

  it('takes one window, and spaces around each', () => {
    expect(parseRateLimits('5/1')).toEqual([{ limit: 5, seconds: 1 }])
    expect(parseRateLimits(' 5/1 , 6/2 ')).toEqual([
      { limit: 5, seconds: 1 },
      { limit: 6, seconds: 2 },
    ])
  })

  it('takes four windows and refuses a fifth', () => {
    expect(parseRateLimits('1/1,2/2,3/3,4/4')).toHaveLength(4)
    expect(() => parseRateLimits('1/1,2/2,3/3,4/4,5/5')).toThrow(
      'At most 4 windows are possible, found 5',
    )
  })

  it('names the window it cannot read', () => {
    expect(() => parseRateLimits('100/60,many/3600')).toThrow('"many/3600" is not a window')
  })

  it.each(['', ',', '100', '100/', '/60', '0/60', '100/0', '-1/60', '1.5/60', '1e3/60', '1/60/2'])(
    'refuses %j',
    (text) => {
      expect(() => parseRateLimits(text)).toThrow('write count/seconds')
    },
  )

  it('refuses two windows of one length', () => {
    expect(() => parseRateLimits('1/60,2/60')).toThrow('Two windows of 60 seconds')
  })
})
