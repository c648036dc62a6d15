import { describe, expect, it } from 'vitest'
import {
  moveEdge,
  moveRange,
  rangeBetween,
  rangesIn,
} from '../../../../worker/app/scripts/new-video/preview/cut-ranges.ts'
import {
  movedBy,
  placeOverlay,
  widenedBy,
} from '../../../../worker/app/new-video/request/place-overlay.ts'

const range = { startTime: 2, endTime: 4 }

describe('a part that is cut out', () => {
  it('never turns round, and never leaves the clip', () => {
    expect(moveEdge(range, 'startTime', 9, 10)).toEqual({ startTime: 3.9, endTime: 4 })
    expect(moveEdge(range, 'startTime', -1, 10)).toEqual({ startTime: 0, endTime: 4 })
    expect(moveEdge(range, 'endTime', 1, 10)).toEqual({ startTime: 2, endTime: 2.1 })
    expect(moveEdge(range, 'endTime', 99, 10)).toEqual({ startTime: 2, endTime: 10 })
  })

  it('keeps its length while it moves', () => {
    expect(moveRange(range, 0.333, 10)).toEqual({ startTime: 2.33, endTime: 4.33 })
    expect(moveRange(range, -5, 10)).toEqual({ startTime: 0, endTime: 2 })
    expect(moveRange(range, 50, 10)).toEqual({ startTime: 8, endTime: 10 })
  })

  it('lies between two seconds in either order, unless they are too near', () => {
    expect(rangeBetween(5, 3, 10)).toEqual({ startTime: 3, endTime: 5 })
    expect(rangeBetween(-5, 30, 10)).toEqual({ startTime: 0, endTime: 10 })
    expect(rangeBetween(5, 5.05, 10)).toBeUndefined()
  })

  it('is drawn only where a request says both ends', () => {
    const segments = [range, {}, { startTime: 5 }, { startTime: 6, endTime: 5 }, 'text', null]
    expect(rangesIn(segments)).toEqual([range, ...Array.from({ length: 5 })])
    expect(rangesIn('text')).toEqual([])
  })
})

describe('what lies on top of the picture', () => {
  const frame = { width: 1000, height: 500 }

  it('is where its anchor or its edges say, and in the middle without either', () => {
    const size = { width: '20%', height: '20%' }
    const at = (position: object) => placeOverlay({ size, position }, frame)
    expect(at({ anchor: 'bottom-left' })).toMatchObject({ left: 0, top: 80 })
    expect(at({ anchor: 'center-right' })).toMatchObject({ left: 80, top: 40 })
    expect(at({ anchor: 'top-center' })).toMatchObject({ left: 40, top: 0 })
    expect(at({ anchor: 'center' })).toMatchObject({ left: 40, top: 40 })
    expect(at({ x: '12.5%', y: '3%' })).toMatchObject({ left: 12.5, top: 3 })
    expect(placeOverlay({}, frame)).toMatchObject({ left: 37.5, width: 25 })
  })

  it('is as large as it says, in pixels or per cent', () => {
    expect(placeOverlay({ size: { width: 100, height: 100 } }, frame)).toMatchObject({
      width: 10,
      height: 20,
    })
    expect(placeOverlay({ size: { width: 'wide' } }, frame).width).toBe(25)
  })

  it('stays inside of the frame when it is moved, and ends at its edge when it is widened', () => {
    const box = { left: 70, top: 10, width: 20, height: 10 }
    expect(movedBy(box, 30, -30)).toEqual({ x: '80%', y: '0%' })
    expect(movedBy(box, 1.26, 0)).toEqual({ x: '71.3%', y: '10%' })
    expect(movedBy({ ...box, width: 120 }, 5, 0).x).toBe('0%')
    expect(widenedBy(box, 50)).toBe('30%')
    expect(widenedBy(box, -50)).toBe('1%')
  })
})
