import { describe, expect, it } from 'vitest'
import { measuringWork } from '../../../../containers/job/report/measuring-work.ts'
import {
  addWorks,
  hearingWork,
  unplannedWork,
} from '../../../../containers/job/report/work-ahead.ts'
import { paceOf, usualTime } from '../../../../containers/job/report/work-kinds.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

const picture = {
  ...{ codec: 'h264', width: 1280, height: 720, averageFps: 25, bitRate: 2e6 },
  transfer: 'sdr',
} as const
const kindOf = (request: object, codec = 'h264') =>
  unplannedWork(optionsSchema.parse(request), { ...picture, codec }, 60).rendering?.kind

describe('the work that is expected before it is planned', () => {
  it('is a copy, a cut, an encode, or none, as the options say', () => {
    expect(kindOf({ outputFormat: 'mov' })).toBe('copying')
    expect(kindOf({ removeSilence: true })).toBe('cutting')
    expect(kindOf({ removeSilence: true, aspectRatio: '9:16' })).toBe('encoding mp4')
    expect(kindOf({ aspectRatio: '16:9' })).toBe('copying')
    expect(kindOf({}, 'av1')).toBe('encoding mp4')
    expect(kindOf({ outputFormat: 'webm' })).toBe('encoding webm')
    expect(kindOf({ analyzeOnly: true })).toBeUndefined()
  })

  it('counts the pixels of the result, and the seconds that are left of it', () => {
    const units = (request: object, seconds = 60) =>
      unplannedWork(optionsSchema.parse(request), picture, seconds).rendering?.units ?? 0
    const whole = units({ compressionQuality: 99 })
    expect(units({ aspectRatio: '9:16' }) / whole).toBeCloseTo((0.316 + 0.3) / 1.3, 1)
    const removeSegments = [{ startTime: 0, endTime: 30 }]
    expect(units({ compressionQuality: 99, removeSegments }) / whole).toBeCloseTo(0.5, 1)
    const kept = { keepSegments: removeSegments, trim: { start: 15 }, speed: 0.25 }
    expect(units({ compressionQuality: 99, ...kept }) / whole).toBeCloseTo(1, 1)
    const cut = units({ removeSegments: [{ startTime: 5, endTime: 6 }] }, 600)
    expect(units({ removeSilence: true }, 600)).toBeGreaterThan(5 * cut)
  })

  it('looks at a short film before it is encoded, unless only its quality is lower', () => {
    const looks = (request: object, seconds = 20) =>
      unplannedWork(optionsSchema.parse(request), picture, seconds).looking !== undefined
    expect(looks({ aspectRatio: '9:16' })).toBe(true)
    expect(looks({ aspectRatio: '9:16' }, 40)).toBe(false)
    expect(looks({ aspectRatio: '9:16', outputFormat: 'webm' })).toBe(false)
    expect(looks({ compressionQuality: 60 })).toBe(false)
    expect(looks({})).toBe(false)
  })

  it('looks longer at a film whose source is harder to decode, and at fewer pictures of a copy', () => {
    const looking = (request: object, bitRate: number) =>
      unplannedWork(optionsSchema.parse(request), { ...picture, bitRate }, 5).checking?.units ?? 0
    const turned = { rotate: 90 }
    expect(looking(turned, 20_000_000)).toBeGreaterThan(2 * looking(turned, 500_000))
    expect(looking({}, 20_000_000)).toBeLessThan(looking(turned, 20_000_000) / 2)
  })

  it('is that of all films that a request names, with the start of each program', () => {
    const ms = (request: object) => {
      const { rendering, checking } = unplannedWork(optionsSchema.parse(request), picture, 60)
      return [rendering, checking].reduce((sum, one) => sum + (one ? usualTime(one) : 0), 0)
    }
    const tall = { name: 'tall', aspectRatio: '9:16' }
    const one = ms({ outputs: [tall] })
    expect(one).toBeCloseTo(ms({ aspectRatio: '9:16' }), 0)
    const two = ms({ outputs: [tall, { name: 'again', aspectRatio: '9:16' }] })
    expect(two).toBeGreaterThan(2 * one)
    const sound = ms({ outputs: [tall, { name: 'sound', outputFormat: 'mp3' }] }) - one
    expect(sound).toBeGreaterThan(0)
    expect(sound).toBeLessThan(one / 2)
  })

  it('grows with the detail that the bits of the source tell of, and where HDR colours are changed', () => {
    const options = optionsSchema.parse({ compressionQuality: 50 })
    const units = (bitRate: number | undefined, transfer: 'sdr' | 'hlg' = 'sdr') =>
      unplannedWork(options, { ...picture, bitRate, transfer }, 60).rendering?.units ?? 0
    const [quiet, lively] = [units(100_000), units(4_000_000)]
    expect(lively / quiet).toBeGreaterThan(2)
    expect(units(400_000_000)).toBe(units(800_000_000))
    expect(units(4_000_000, 'hlg') / lively).toBeGreaterThan(1.8)
    expect(units(undefined)).toBeGreaterThan(quiet)
    expect(units(undefined)).toBeLessThan(lively)
  })

  it('counts every picture, however few pixels it has', () => {
    const small = { ...picture, width: 160, height: 120, averageFps: 60, bitRate: 100_000 }
    const { rendering } = unplannedWork(optionsSchema.parse({ rotate: 90 }), small, 60)
    expect(rendering && usualTime(rendering)).toBeGreaterThan(3_600 * 0.35)
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
    expect(ms({ removeSilence: true })).toBeGreaterThan(2 * ms({}))
    expect(ms({ removeNoise: true })).toBeGreaterThan(ms({ removeSilence: true }))
    const level = ms({ normalizeAudio: true })
    expect(ms({ normalizeAudio: true, speed: 1.5 })).toBeGreaterThan(1.3 * level)
    expect(ms({ normalizeAudio: true, removeNoise: true })).toBeGreaterThan(
      ms({ removeNoise: true }),
    )
  })

  it('takes longer to measure what is long or has many bits, whose pictures are looked at', () => {
    const ms = (seconds: number, bitRate: number, request: object = {}) =>
      usualTime(measuringWork(optionsSchema.parse(request), seconds, { bitRate }))
    expect(ms(12, 1e6)).toBeGreaterThan(ms(3, 1e6) + 200)
    expect(ms(3, 30e6)).toBeGreaterThan(ms(3, 1e6) + 200)
    const heard = { analyzeOnly: true, removeSilence: true }
    expect(ms(3, 30e6, heard)).toBe(ms(3, 1e6, heard))
  })

  it('counts all for which the pictures are looked at, by what each takes', () => {
    const usual = (request: object, averageFps = 30, size: object = {}) => {
      const load = { averageFps, ...size }
      const { kind, units } = measuringWork(optionsSchema.parse(request), 60, load)
      return [kind, paceOf(kind, {}).ms * units] as const
    }
    const [shaking, shakeMs] = usual({ stabilize: true })
    const [finding, faceMs] = usual({ blurFaces: true })
    const follow = { aspectRatio: '9:16', resizeMode: 'follow' }
    expect([shaking, finding]).toEqual(['measuring shake', 'seeing faces'])
    expect(usual(follow)[0]).toBe('seeing people')
    const upright = { width: 720, height: 1280 }
    expect(usual(follow, 30, upright)).toEqual(usual({}, 30, upright))
    expect(usual({ ...follow, rotate: 90 }, 30, upright)[0]).toBe('seeing people')
    const [kind, both] = usual({ stabilize: true, blurFaces: true })
    expect(kind).toBe('seeing faces')
    expect(both).toBeCloseTo(shakeMs + faceMs - usual({})[1])
    expect(usual({ stabilize: true }, 60)[1]).toBeGreaterThan(shakeMs * 1.8)
    expect(usual({ blurFaces: true }, 60)[1]).toBeGreaterThan(faceMs * 1.8)
  })
})

it('addWorks counts a unit of each kind by what it usually takes, in the kind that takes most', () => {
  const works = [
    { kind: 'encoding mp4', units: 600 },
    { kind: 'encoding webm', units: 300 },
  ] as const
  const { kind, units } = addWorks(works)
  expect(kind).toBe('encoding webm')
  const inMp4 = { kind: 'encoding mp4', units: 600 }
  expect(units).toBeCloseTo(300 + usualTime(inMp4) / usualTime({ kind, units: 1 }))
})
