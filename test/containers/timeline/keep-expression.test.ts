import { describe, expect, it } from 'vitest'
import { keepExpression } from '../../../containers/timeline/keep-expression.ts'

describe('keepExpression', () => {
  it('is one comparison for each end of a cut', () => {
    expect(keepExpression([{ from: 10, to: 20 }])).toBe('if(lt(n,20),if(lt(n,10),1,0),1)')
    expect(keepExpression([])).toBe('1')
  })

  it('is nested no deeper than the logarithm of the number of cuts', () => {
    const cuts = Array.from({ length: 5_000 }, (_, i) => ({ from: i * 2, to: i * 2 + 1 }))
    let depth = 0
    let deepest = 0
    for (const char of keepExpression(cuts)) {
      depth += char === '(' ? 1 : char === ')' ? -1 : 0
      deepest = Math.max(deepest, depth)
    }
    expect(deepest).toBeLessThan(20)
  })
})
