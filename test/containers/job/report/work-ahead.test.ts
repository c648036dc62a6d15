import { describe, expect, it } from 'vitest'
import {
  hearingWork,
  measuringWork,
  paceOf,
  unplannedWork,
} from '../../../../containers/job/report/work-ahead.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

const picture = { codec: 'h264', width: 1280, height: 720, averageFps: 25 }
const kindOf = (request: object, codec = 'h264') =>
  unplannedWork(optionsSchema.parse(request), { ...picture, codec }, 60)?.kind

describe('the work that is expected before it is planned', () => {
  it('is a copy, a cut, an encode, or none, as the options say', () => {
    expect(kindOf({ outputFormat: 'mov' })).toBe('copying')
    expect(kindOf({ removeSilence: true })).toBe('cutting')
    expect(kindOf({ removeSilence: true, aspectRatio: '9:16' })).toBe('encoding mp4')
    expect(kindOf({}, 'av1')).toBe('encoding mp4')
    expect(kindOf({ outputFormat: 'webm' })).toBe('encoding webm')
    expect(kindOf({ analyzeOnly: true })).toBeUndefined()
  })

  it('grows with the seconds and the pixels', () => {
    const options = optionsSchema.parse({ compressionQuality: 50 })
    const units = (seconds: number, scale: number) => {
      const scaled = { ...picture, width: picture.width * scale, height: picture.height * scale }
      return unplannedWork(options, scaled, seconds)?.units ?? 0
    }
    expect(units(600, 1) / units(60, 1)).toBeCloseTo(10, 0)
    expect(units(60, 2) / units(60, 1)).toBeCloseTo(4, 0)
  })

  it('hears the words first if the rendering waits for them, and beside it otherwise', () => {
    const heard = (request: object) => Object.keys(hearingWork(optionsSchema.parse(request), 60))
    expect(heard({ captions: {} })).toEqual(['transcribing'])
    expect(heard({ enableTranscription: true })).toEqual(['hearing'])
    expect(heard({ enableAiAnalysis: true })).toEqual(['hearing', 'analysing'])
    expect(heard({})).toEqual([])
  })

  it('takes longer to measure where voices are looked for or noise is learnt', () => {
    const ms = (request: object) => {
      const { kind, units } = measuringWork(optionsSchema.parse(request), 600)
      return paceOf(kind, {}).ms * units
    }
    expect(ms({ removeSilence: true })).toBeGreaterThan(5 * ms({}))
    expect(ms({ removeNoise: true })).toBeGreaterThan(ms({ removeSilence: true }))
  })
})
