import { describe, expect, it } from 'vitest'
import {
  faultsOf,
  faultyElementFields,
  minimalBody,
  minimalImage,
} from '../../support/node/create-faults.ts'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'

describe('element', () => {
  it('takes a text, and refuses what belongs to media', () => {
    const faults = (rest: Record<string, unknown>) =>
      faultsOf({ ...minimalBody, elements: [{ type: 'text', text: 'Hello', ...rest }] })
    expect(faults({ font: 'Inter Black', color: '#11223344', size: { width: '50%' } })).toEqual([])
    expect(faults({ text: 'x'.repeat(5000), outline: {}, shadow: { blur: '4%' } })).toEqual([])
    expect(
      [
        ...[{ text: '' }, { text: ' \n' }, { text: 'x'.repeat(5001) }, { text: undefined }],
        ...[{ url: 'https://example.com/a.png' }, { loop: true }, { size: { fit: 'cover' } }],
        ...[{ font: 'Comic Sans' }, { font: 'file:///etc/passwd' }, { color: 'red' }],
        ...[{ outline: { width: '101%' } }, { lineHeight: 0 }],
      ].map((rest) => faults(rest).map(({ field }) => field.replace('elements[0].', ''))),
    ).toEqual([
      ...[
        ['text'],
        ['text'],
        ['text'],
        ['text'],
        ['url'],
        ['loop'],
        ['size.fit'],
        ['font'],
        ['font'],
      ],
      ...[['color'], ['outline.width'], ['lineHeight']],
    ])
    expect(faults({ font: 'inter bold' })[0]?.message).toBe(
      'Unknown font; did you mean Inter Bold?',
    )
  })

  it('says of pixels and of percent which sizes there are', () => {
    const size = { width: 9000, height: '2000%' }
    const messages = faultsOf({ ...minimalBody, elements: [{ ...minimalImage, size }] })
    expect(messages.map((fault) => fault.message)).toEqual([
      'Must be at most 8192 pixels',
      'Must be above 0% and at most 1000%',
    ])
  })

  it('takes a fade longer than the clip, which is known only later', () => {
    const effects = { fadeIn: { duration: 5 }, fadeOut: { duration: 5 } }
    expect(faultyElementFields({ effects, timing: { startTime: 0, endTime: 2 } })).toEqual([])
  })

  it('lets entireVideo win over an end before the start', () => {
    const timing = { startTime: 3, endTime: 2 }
    expect(faultyElementFields({ timing })).toEqual(['timing.endTime'])
    expect(faultyElementFields({ timing: { ...timing, entireVideo: true } })).toEqual([])
  })
})

const url = 'https://example.com/a.png'

function faultOf(element: object, more: object = { fileUrl: 'https://example.com/a.mp4' }) {
  const parsed = parseCreateVideo({ ...more, elements: [element] })
  return parsed.ok ? undefined : parsed.faults.map((one) => `${one.field}: ${one.message}`).join()
}

describe('looks of elements', () => {
  const size = { width: '20%', height: 40 }

  it.each([
    { type: 'image', url, crop: { x: 4 }, rotation: -15.5, cornerRadius: '50%', repeat: 'tile' },
    { type: 'video', url, chromaKey: { color: '#00ff00', similarity: 0.2 }, clip: 1 },
    { type: 'text', text: 'Hi', rotation: 30, effects: { exit: { type: 'zoom', duration: 1 } } },
    { type: 'audio', url, clip: 1 },
    { type: 'blur', size, style: 'pixels', strength: 80, position: { x: '5%' }, zIndex: 3 },
  ])('are taken: %j', (element) => {
    expect(faultOf(element)).toBeUndefined()
  })

  it.each([
    [{ type: 'image', url, rotation: 361 }, 'rotation: Must be from -360 to 360 degrees'],
    [{ type: 'image', url, cornerRadius: '51%' }, 'cornerRadius: Must be a number of pixels'],
    [{ type: 'image', url, repeat: 'mirror' }, 'repeat: Must be tile'],
    [{ type: 'image', url, chromaKey: {} }, 'chromaKey.color: Required'],
    [{ type: 'gif', url, chromaKey: { color: '#00ff00', similarity: 0 } }, 'from 0.01 to 1'],
    [{ type: 'text', text: 'x', crop: { x: 1 } }, 'crop applies to image, gif and video'],
    [{ type: 'audio', url, effects: { enter: {} } }, 'enter applies to image, gif, video and'],
    [{ type: 'image', url, effects: { enter: { type: 'spin', duration: 1 } } }, 'from-left'],
    [{ type: 'image', url, clip: 0 }, 'clip: Clips are counted from 1'],
    [{ type: 'image', url, clip: 2 }, 'clip: Must not be above 1: there is only one clip'],
    [{ type: 'blur', size: { width: 10 } }, 'size.height: Required: a number of pixels'],
    [{ type: 'blur', size, url }, 'A blur element has no url'],
    [{ type: 'blur', size, effects: {} }, 'effects do not apply to blur'],
    [{ type: 'blur', size, strength: 1e9 }, 'strength: Must be from 1 to 100'],
  ])('%j is refused with its reason', (element, message) => {
    expect(faultOf(element)).toContain(message)
  })

  it('are tied to a clip that there is', () => {
    const files = [{ url }, { url }, { url }]
    const tied = (clip: number) =>
      faultOf({ type: 'text', text: 'x', clip }, { combine: true, files })
    expect(tied(3)).toBeUndefined()
    expect(tied(4)).toBe('elements[0].clip: Must not be above 3: there are 3 clips in files')
  })
})

it('color has ranges, and the address of a table', () => {
  const fault = (color: object) =>
    faultOf({ type: 'text', text: 'x' }, { fileUrl: 'https://example.com/a.mp4', color })
  expect(fault({ brightness: -1, contrast: 3, saturation: 0, lutUrl: url })).toBeUndefined()
  expect(fault({ brightness: 2 })).toBe('color.brightness: Must be from -1 to 1')
  expect(fault({ contrast: 1e309 })).toMatch(/color\.contrast: Must be/)
  expect(fault({ lutUrl: 'file:///etc/passwd' })).toMatch(/color\.lutUrl: /)
  expect(fault({ gamma: 2 })).toMatch(/color\.gamma: Unknown field/)
})
