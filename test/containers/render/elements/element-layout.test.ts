import { describe, expect, it } from 'vitest'
import { layOut, type LayoutRequest } from '../../../../worker/contract/layout/element-layout.ts'

const lay = (request: Partial<LayoutRequest>) =>
  layOut({
    natural: { width: 400, height: 200 },
    frame: { width: 1000, height: 500 },
    size: undefined,
    position: undefined,
    grid: 1,
    ...request,
  })

describe('layOut', () => {
  it('keeps its own size in the centre, but never exceeds the frame', () => {
    expect(lay({})).toEqual({
      source: undefined,
      scaled: { width: 400, height: 200 },
      seen: { x: 0, y: 0, width: 400, height: 200 },
      at: { x: 300, y: 150 },
    })
    expect(lay({ natural: { width: 4000, height: 1000 } })).toMatchObject({
      scaled: { width: 1000, height: 250 },
      at: { x: 0, y: 125 },
    })
  })

  it('keeps the ratio if only one side is given', () => {
    expect(lay({ size: { width: '20%' } })?.scaled).toEqual({ width: 200, height: 100 })
    expect(lay({ size: { height: 50 } })?.scaled).toEqual({ width: 100, height: 50 })
  })

  it('fits inside both sides, or covers them and is cropped around the middle', () => {
    const size = { width: 100, height: 100 }
    expect(lay({ size })?.scaled).toEqual({ width: 100, height: 50 })
    expect(lay({ size: { ...size, fit: 'cover' } })).toEqual({
      source: undefined,
      scaled: { width: 200, height: 100 },
      seen: { x: 50, y: 0, width: 100, height: 100 },
      at: { x: 450, y: 200 },
    })
  })

  it('crops parts outside the frame', () => {
    expect(lay({ position: { x: '80%', y: '90%' } })).toMatchObject({
      seen: { x: 0, y: 0, width: 200, height: 50 },
      at: { x: 800, y: 450 },
    })
    expect(lay({ position: { x: '100%', y: '0%' } })).toBeUndefined()
  })

  it('scales only the visible part of a huge picture', () => {
    const layout = lay({ size: { width: 8000 } })
    expect(layout).toEqual({
      source: { x: 174, y: 86, width: 52, height: 28 },
      scaled: { width: 1040, height: 560 },
      seen: { x: 20, y: 30, width: 1000, height: 500 },
      at: { x: 0, y: 0 },
    })
  })

  it('stays on even pixels if two pixels share a colour', () => {
    const layout = lay({ grid: 2, size: { width: 101 }, position: { x: '3.3%', y: '0%' } })
    expect(layout?.scaled).toEqual({ width: 102, height: 50 })
    expect(layout?.at).toEqual({ x: 34, y: 0 })
  })
})
