import { describe, expect, it } from 'vitest'
import {
  nearestRate,
  parseRate,
  rateOf,
  rateText,
  steadyRate,
} from '../../../containers/timeline/frame-rate.ts'

const steady = (nominal: string, average: string): string =>
  rateText(steadyRate(parseRate(nominal), parseRate(average)))

describe('steadyRate', () => {
  it('takes the nominal rate of a phone that dropped some pictures', () => {
    expect(steady('30/1', '140000/5087')).toBe('30/1')
  })
  it('takes the average if the nominal rate is nonsense', () => {
    expect(steady('57600/1', '722/100')).toBe('7220/1000')
  })
  it('limits a rate that no screen can show', () => {
    expect(steady('240/1', '240/1')).toBe('120000/1000')
  })
  it('has a default if nothing is known', () => {
    expect(steady('0/0', '0/0')).toBe('25/1')
  })
})

it('nearestRate finds the standard rate behind a rounded one', () => {
  expect(rateText(nearestRate(29.97))).toBe('30000/1001')
  expect(rateText(nearestRate(12.5))).toBe('12500/1000')
})

describe('rateOf', () => {
  it.each([
    [25, '25/1'],
    [29.97, '30000/1001'],
    ['24000/1001', '24000/1001'],
    ['50', '50/1'],
    [29.9, '29900/1000'],
    [1, '1000/1000'],
  ])('reads %s as it was meant', (asked, meant) => {
    expect(rateText(rateOf(asked))).toBe(meant)
  })
})
