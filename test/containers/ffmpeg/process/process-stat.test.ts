import { describe, expect, it } from 'vitest'
import { parseProcessStat } from '../../../../containers/ffmpeg/process/process-stat.ts'

describe('parseProcessStat', () => {
  it('reads past a name that holds spaces and brackets', () => {
    const rest = 'S 1 42 42 0 -1 4194560 1 0 0 0 31 7 5 2 20 0 3 0 987654 40960 512'
    expect(parseProcessStat(`42 (a) b) ${rest}`)).toEqual({
      name: 'a) b',
      isDead: false,
      parent: 1,
      group: 42,
      ticks: 38,
      childTicks: 7,
      startTicks: 987_654,
      residentPages: 512,
    })
  })

  it('takes a process for dead when its last thread is, not when its first is', () => {
    const zombie = (threads: number) =>
      parseProcessStat(`42 (node) Z 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 ${threads} 0 9 0 0`)
    expect(zombie(2)).toMatchObject({ isDead: false })
    expect(zombie(1)).toMatchObject({ isDead: true })
  })

  it('is undefined for a line that ends too soon, and for none', () => {
    expect(parseProcessStat('42 (a) S 1')).toBeUndefined()
    expect(parseProcessStat('')).toBeUndefined()
  })
})
