import { describe, expect, it } from 'vitest'
import {
  unappliedOptions,
  unappliedWarnings,
} from '../../../containers/render/unapplied-options.ts'
import { optionsSchema } from '../../../worker/contract/options.ts'

const unapplied = (options: Record<string, unknown>) =>
  unappliedOptions(optionsSchema.parse(options))

describe('unappliedOptions', () => {
  it('finds nothing in defaults, applied options and empty lists', () => {
    const applied = { outputFormat: 'webm', compressionQuality: 30, combine: true }
    expect(
      unapplied({ ...applied, removeSilence: false, elements: [], removeSegments: [] }),
    ).toEqual([])
  })

  it('names what was asked for and is read by nobody', () => {
    const options = { removeSilence: true, removeSegments: [{ startTime: 0, endTime: 1 }] }
    expect(unapplied(options)).toEqual(['removeSilence', 'removeSegments'])
  })
})

describe('unappliedWarnings', () => {
  it('says so in one plain sentence each, for single files too', () => {
    const input = { field: 'files[1].url', url: 'http://a.example', origin: 'customer' } as const
    const asked = { ...input, disableAudio: true, removeSegments: [{ startTime: 0, endTime: 1 }] }
    const options = optionsSchema.parse({ removeSilence: true })
    expect(unappliedWarnings(options, [input, asked])).toEqual([
      'removeSilence was not applied: this version cannot do it yet.',
      'files[1].removeSegments was not applied: this version cannot do it yet.',
    ])
  })
})
