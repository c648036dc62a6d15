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
    const applied = {
      outputFormat: 'webm',
      compressionQuality: 30,
      combine: true,
      enableAiAnalysis: true,
    }
    expect(
      unapplied({ ...applied, removeSilence: false, elements: [], removeSegments: [] }),
    ).toEqual([])
  })
})

describe('unappliedWarnings', () => {
  it('has nothing to say of what is applied, of files and elements too', () => {
    const input = { field: 'files[1].url', url: 'http://a.example', origin: 'customer' } as const
    const asked = { ...input, disableAudio: true, removeSegments: [{ startTime: 0, endTime: 1 }] }
    const elements = [
      { type: 'image', url: 'http://a.example/logo.png' },
      { type: 'audio', url: 'http://a.example/song.mp3' },
    ]
    const options = optionsSchema.parse({ enableAiAnalysis: true, elements })
    expect(unappliedWarnings(options, [input, asked])).toEqual([])
  })
})
