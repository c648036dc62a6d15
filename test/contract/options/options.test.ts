import { describe, expect, it } from 'vitest'
import { faultsOf, faultyFieldsWith, minimalBody } from '../../support/node/create-faults.ts'

describe('processingOptions', () => {
  it.each([
    ['outputFormat', ['mp4', 'mov', 'avi', 'webm']],
    ['aspectRatio', ['original', '16:9', '9:16', '1:1', '4:5', '4:3', '21:9']],
    ['resizeMode', ['cover', 'contain', 'stretch']],
    ['backgroundColor', ['#000000', '#FFFFFF', '#1a2B3c']],
    ['rotate', [0, 90, 180, 270]],
    ['compressionQuality', [1, 1.5, 50, 99.9, 100]],
  ])('%s takes %j', (name, values) => {
    expect(values.flatMap((value) => faultyFieldsWith({ [name]: value }))).toEqual([])
  })

  it.each([
    ['outputFormat', ['mkv', 'gif', 'MP4', '.mp4', '']],
    ['aspectRatio', ['16/9', '3:2', 'Original', '']],
    ['resizeMode', ['fill', 'crop', '']],
    [
      'backgroundColor',
      ['#fff', '#00000000', 'black', '0x000000', '#00000G', '#000000 ', '#０00000'],
    ],
    ['rotate', [-90, 45, 90.5, 360, '90', true, null]],
    ['compressionQuality', [0, 0.9, 100.1, 101, -1, 1e309, Number.NaN, '100', true]],
  ])('%s refuses each of %j', (name, values) => {
    const refused = values.map((value) => faultyFieldsWith({ [name]: value }))
    expect(refused).toEqual(values.map(() => [name]))
  })

  it('refuses a colour that would be part of a filter graph', () => {
    const backgroundColor = 'black[a];movie=/secret.ts[b];[a][b]overlay'
    expect(faultsOf({ ...minimalBody, backgroundColor })).toEqual([
      { field: 'backgroundColor', message: 'Must be a hex colour such as "#1a2b3c", or "blur"' },
    ])
  })
})

describe('segments', () => {
  function faultyFields(...removeSegments: unknown[]): string[] {
    return faultyFieldsWith({ removeSegments })
  }

  it('takes 200 segments and refuses one more', () => {
    const segments = Array.from({ length: 201 }, (_, i) => ({ startTime: i, endTime: i + 0.5 }))
    expect(faultyFields(...segments.slice(1))).toEqual([])
    expect(faultyFields(...segments)).toEqual(['removeSegments'])
  })

  it('takes overlapping, unsorted, touching and tiny segments', () => {
    expect(
      faultyFields(
        { startTime: 5, endTime: 9 },
        { startTime: 0, endTime: 6 },
        { startTime: 9, endTime: 1e6 },
        { startTime: 0, endTime: 0.001 },
        { startTime: 5, endTime: 9 },
      ),
    ).toEqual([])
    expect(faultyFields()).toEqual([])
  })

  it.each([
    [{ startTime: -0.001, endTime: 1 }, 'removeSegments[0].startTime'],
    [{ startTime: 1, endTime: 1 }, 'removeSegments[0].endTime'],
    [{ startTime: 1, endTime: 0.5 }, 'removeSegments[0].endTime'],
    [{ startTime: 0, endTime: 0 }, 'removeSegments[0].endTime'],
    [{ startTime: Number.NaN, endTime: 1 }, 'removeSegments[0].startTime'],
    [{ startTime: 0, endTime: 1e309 }, 'removeSegments[0].endTime'],
    [{ startTime: null, endTime: 1 }, 'removeSegments[0].startTime'],
    [{ startTime: '0 s', endTime: 1 }, 'removeSegments[0].startTime'],
    [[0, 1], 'removeSegments[0]'],
    [null, 'removeSegments[0]'],
  ])('refuses %j, naming %s', (segment, field) => {
    expect(faultyFields(segment)).toEqual([field])
  })

  it('names both ends when both are wrong, and the right segment', () => {
    expect(faultyFields({ startTime: 0, endTime: 1 }, { startTime: -1, endTime: 'x' })).toEqual([
      'removeSegments[1].startTime',
      'removeSegments[1].endTime',
    ])
  })

  it('suggests the names of its fields', () => {
    const removeSegments = [{ startTime: 0, endTime: 1, starttime: 0 }]
    expect(faultsOf({ ...minimalBody, removeSegments })).toEqual([
      {
        field: 'removeSegments[0].starttime',
        message: 'Unknown field; did you mean startTime?',
      },
    ])
  })
})
