import { describe, expect, it } from 'vitest'
import { nearestName } from '../../../worker/contract/input/nearest-name.ts'

const options = [
  'fileUrl',
  'webhookUrl',
  'removeSilence',
  'removeSegments',
  'outputFormat',
  'files',
]
const element = ['type', 'url', 'size', 'x', 'y']

describe('nearestName', () => {
  it.each([
    ['REMOVE-SILENCE', 'removeSilence'],
    ['removeSilences', 'removeSilence'],
    ['file', 'fileUrl'],
    ['fils', 'files'],
  ])('takes %s for %s among the options', (asked, name) => {
    expect(nearestName(asked, options)).toBe(name)
  })

  it('knows swapped letters of a short name, and takes no other short word for it', () => {
    expect(nearestName('tpye', element)).toBe('type')
    expect(nearestName('ulr', element)).toBe('url')
    expect(['mkv', 'line', 'a', 'ab', 'z'].map((asked) => nearestName(asked, element))).toEqual(
      Array(5).fill(undefined),
    )
  })

  it('takes two wrong letters of a short name for another word', () => {
    expect(nearestName('fillers', ['files'])).toBeUndefined()
    expect(nearestName('rotaet', ['rotate'])).toBe('rotate')
  })

  it('takes three wrong letters for another word', () => {
    expect(nearestName('removeSounds', options)).toBeUndefined()
  })

  it('reads no more of a long name than of a short one', () => {
    expect(nearestName('x'.repeat(1_000_000), options)).toBeUndefined()
  })
})
