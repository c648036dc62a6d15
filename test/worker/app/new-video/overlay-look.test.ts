import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../../worker/app/new-video/request/place-overlay.ts'

const frame = { width: 1000, height: 500 }
/** 200 × 100 pixels. */
const box = { width: 20, height: 20 }

describe('lookOf', () => {
  it('turns a box and rounds its corners as the film will', () => {
    const element = {
      ...{ type: 'image', rotation: -15, cornerRadius: '50%' },
      effects: { opacity: 0.5 },
    }
    expect(lookOf(element, box, frame)).toEqual({
      ...{ rotate: '-15deg', borderRadius: '10.00cqh', backdropFilter: '', opacity: '0.5' },
    })
    expect(lookOf({ cornerRadius: 400 }, box, frame).borderRadius).toBe('10.00cqh')
    expect(lookOf({ cornerRadius: 5 }, box, frame).borderRadius).toBe('1.00cqh')
    expect(lookOf({ cornerRadius: 'x' }, box, frame).borderRadius).toBe('')
  })

  it('blurs what lies below a blur element as far as the film will be', () => {
    const { backdropFilter } = lookOf({ type: 'blur', strength: 100 }, box, frame)
    expect(backdropFilter).toBe('blur(5.00cqh)')
  })
})
