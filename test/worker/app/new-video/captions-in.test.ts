import { describe, expect, it } from 'vitest'
import { captionsIn } from '../../../../worker/app/new-video/request/captions-in.ts'

describe('the captions that the form draws', () => {
  it('are those that are burnt in', () => {
    expect(captionsIn({})).toBeUndefined()
    expect(captionsIn({ captions: { embed: true } })).toBeUndefined()
    expect(captionsIn({ captions: { embed: true, burn: true } })).toBeDefined()
    const look = { style: 'box', size: '5%', position: { y: '70%' }, color: '#FFE10080' }
    expect(captionsIn({ captions: look })).toMatchObject(look)
  })

  it('leave out what the API would refuse', () => {
    const wrong = { style: 'loud', size: 'big', position: { y: 7 }, color: 'url(x)', maxLines: 0 }
    const { uppercase, ...rest } = captionsIn({ captions: wrong }) ?? {}
    expect(uppercase).toBe(false)
    expect(Object.values(rest).filter((value) => value !== undefined)).toEqual([])
    expect(captionsIn({ captions: 'yes' })).toBeUndefined()
  })
})
