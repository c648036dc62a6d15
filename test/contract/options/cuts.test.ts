import { describe, expect, it } from 'vitest'
import { faultsOf, minimalBody } from '../../support/node/create-faults.ts'

const segments = [{ startTime: 1, endTime: '0:02' }]

describe('cuts', () => {
  it('may be what is kept, with the ends taken off', () => {
    expect(faultsOf({ ...minimalBody, keepSegments: segments, trim: { start: '0:01' } })).toEqual(
      [],
    )
  })

  it('are refused if they name both what is kept and what is removed, also of a file', () => {
    const message = 'Give either keepSegments or removeSegments, not both'
    const both = { keepSegments: segments, removeSegments: segments }
    expect(faultsOf({ ...minimalBody, ...both })).toEqual([{ field: 'keepSegments', message }])
    const files = [
      { url: 'https://example.com/a.mp4' },
      { url: 'https://example.com/b.mp4', ...both },
    ]
    expect(faultsOf({ files, combine: true })).toEqual([
      { field: 'files[1].keepSegments', message },
    ])
  })

  it('keep at least one part', () => {
    expect(faultsOf({ ...minimalBody, keepSegments: [], trim: { start: -1 } })).toEqual([
      { field: 'keepSegments', message: 'Must name at least one segment' },
      { field: 'trim.start', message: 'Must be 0 or more seconds' },
    ])
  })
})
