import { describe, expect, it } from 'vitest'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import { crop, filmFade } from '../../../worker/contract/options/picture/picture-edits.ts'
import { parseInput } from '../../../worker/contract/input/parse-input.ts'

function faultOf(value: unknown, schema: typeof crop | typeof filmFade = crop): string | undefined {
  const parsed = parseInput(schema, value)
  if (parsed.ok) return undefined
  return parsed.faults.map(({ field, message }) => `${field}: ${message}`).join(' | ')
}

describe('crop', () => {
  it.each([
    { x: 0, y: 0, width: 1280, height: 720 },
    { x: '0%', width: '100%' },
    { y: '33.3%', height: '66.7%' },
    { width: 2 },
  ])('takes %j', (value) => {
    expect(faultOf(value)).toBeUndefined()
  })

  it.each([
    [{}, 'Must name at least one'],
    [{ width: '0%' }, 'width: Must be above 0%'],
    [{ width: 1 }, 'width: Must be at least 2'],
    [{ width: 100.5 }, 'width: Must be from 2'],
    [{ x: -1 }, 'x: Must be at least 0'],
    [{ x: 1e300 }, 'x: Must be at most 8192'],
    [{ x: 'NaN' }, 'x: Must be a percentage from 0% to 100%'],
    [{ x: '60%', width: '50%' }, 'width: Must end inside the picture: x and width are more than'],
    [{ y: '1%', height: '100%' }, 'height: Must end inside the picture: y and height are more'],
    [{ left: 3 }, 'left: Unknown field; did you mean x?'],
    ['centre', 'an object such as'],
  ])('refuses %j and says why', (value, message) => {
    expect(faultOf(value)).toContain(message)
  })
})

it('filmFade is linear, and needs a duration', () => {
  expect(faultOf({ duration: 1, color: '#ffffff' }, filmFade)).toBeUndefined()
  expect(faultOf({ duration: 1, easing: 'linear' }, filmFade)).toContain('is linear')
  expect(faultOf({ color: 'white' }, filmFade)).toMatch(/color: Must be a hex colour/)
})

describe('a blurred background', () => {
  const fieldsRefused = (body: object) => {
    const parsed = parseCreateVideo({ fileUrl: 'https://example.com/talk.mp4', ...body })
    return parsed.ok ? [] : parsed.faults.map(({ field }) => field)
  }

  it('is what bars may be', () => {
    expect(fieldsRefused({ backgroundColor: 'blur' })).toEqual([])
  })

  it.each([
    ['background', { background: 'blur' }],
    ['waveform.color', { waveform: { color: 'blur' } }],
    ['waveform.background', { waveform: { background: 'blur' } }],
    ['cutTransition.color', { cutTransition: { type: 'fade', color: 'blur' } }],
    ['fadeIn.color', { fadeIn: { duration: 1, color: 'blur' } }],
  ])('is not a colour for %s', (field, body) => {
    expect(fieldsRefused(body)).toEqual([field])
  })
})
