import { expect, it } from 'vitest'
import { boundsOf, bytesWork } from '../../../../containers/job/foresee/foresee-bytes.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 5_000_000 }
const options = optionsSchema.parse({ color: { contrast: 1.2 } })
const still = openClip('in0', someFacts({ video: { bitRate: 2_000 }, audio: null }), {})
const lively = openClip('in1', someFacts({ video: { bitRate: 900_000 }, audio: null }), {})

it('counts every clip of a film, not its first alone', () => {
  const bytesOf = (...clips: [typeof still, ...(typeof still)[]]) =>
    bytesWork({ plan: planClips(clips, options, caps), clips, quality: 70 }).units
  const [least, most] = [bytesOf(still, still), bytesOf(lively, lively)]
  expect(most / least).toBeGreaterThan(5)
  expect(bytesOf(still, lively) / ((least + most) / 2)).toBeCloseTo(1, 1)
  expect(bytesOf(still, lively)).toBe(bytesOf(lively, still))
})

it('foresees more bytes than a source has, where that could only be kept by pictures that look worse than any may', () => {
  const clips = [still] as const
  const { beside, upTo } = boundsOf({ plan: planClips(clips, options, caps), clips, quality: 100 })
  const budget = upTo(2e4)
  expect(budget).toBeLessThan(beside + 5e3)
  expect(upTo(1e6)).toBeGreaterThan(budget * 5)
})
