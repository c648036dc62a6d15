import { describe, expect, it } from 'vitest'
import { anchors, easings } from '../../../worker/contract/options/elements/element-fields.ts'
import {
  faultsOf,
  faultyElementFields,
  faultyFieldsWith,
  minimalBody,
  minimalImage,
} from '../../support/node/create-faults.ts'

describe('element', () => {
  it('takes 50 elements and refuses one more', () => {
    expect(faultyFieldsWith({ elements: Array(50).fill(minimalImage) })).toEqual([])
    expect(faultyFieldsWith({ elements: Array(51).fill(minimalImage) })).toEqual(['elements'])
    expect(faultyFieldsWith({ elements: [] })).toEqual([])
  })

  it.each(['image', 'gif', 'video', 'audio'])('takes a bare %s', (type) => {
    expect(faultyElementFields({ type })).toEqual([])
  })

  const types = 'image, gif, video, audio, text or blur'
  it.each([
    ['Image', `Must be ${types}; did you mean image?`],
    ['words', `Must be ${types}`],
    ['', `Must be ${types}`],
    [null, `Must be ${types}`],
    [1, `Must be ${types}`],
    [['image'], `Must be ${types}`],
    [undefined, `Required: ${types}`],
  ])('refuses the type %j', (type, message) => {
    const elements = [{ ...minimalImage, type }]
    expect(faultsOf({ ...minimalBody, elements })).toEqual([{ field: 'elements[0].type', message }])
  })

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

  it('takes a comment of 1,000 characters, whatever they are', () => {
    expect(faultyElementFields({ comment: '' })).toEqual([])
    expect(faultyElementFields({ comment: '🎬\0\n\ud800' })).toEqual([])
    expect(faultyElementFields({ comment: 'x'.repeat(1000) })).toEqual([])
    expect(faultyElementFields({ comment: 'x'.repeat(1001) })).toEqual(['comment'])
  })

  it.each([-1, 0, 1.5, 1e9, -1e300])('takes zIndex %d', (zIndex) => {
    expect(faultyElementFields({ zIndex })).toEqual([])
  })

  it('takes loop on everything that plays', () => {
    expect(
      ['gif', 'video', 'audio'].flatMap((type) => faultyElementFields({ type, loop: true })),
    ).toEqual([])
    expect(faultyElementFields({ type: 'image', loop: false })).toEqual(['loop'])
  })
})

describe('timing', () => {
  it.each([
    [{}],
    [{ startTime: 0 }],
    [{ endTime: 0.1 }],
    [{ startTime: 1, endTime: 1.001 }],
    [{ entireVideo: true, startTime: 3, endTime: 5 }],
    [{ entireVideo: false }],
    [{ startTime: 1e9 }],
  ])('takes %j', (timing) => {
    expect(faultyElementFields({ timing })).toEqual([])
  })

  it.each([
    [{ startTime: -0.1 }, 'timing.startTime'],
    [{ startTime: '1s' }, 'timing.startTime'],
    [{ endTime: 0 }, 'timing.endTime'],
    [{ endTime: -1 }, 'timing.endTime'],
    [{ startTime: 2, endTime: 2 }, 'timing.endTime'],
    [{ entireVideo: 1 }, 'timing.entireVideo'],
    [{ duration: 1 }, 'timing.duration'],
    [[], 'timing'],
    [null, 'timing'],
  ])('refuses %j, naming %s', (timing, field) => {
    expect(faultyElementFields({ timing })).toContain(field)
    expect(new Set(faultyElementFields({ timing }))).toEqual(new Set([field]))
  })
})

describe('position', () => {
  it('takes nine anchors', () => {
    expect(anchors).toHaveLength(9)
    expect(anchors.flatMap((anchor) => faultyElementFields({ position: { anchor } }))).toEqual([])
  })

  it.each(['0%', '100%', '50%', '12.5%', '0.0001%', '100.0%', '99.999%', '05%'])(
    'takes x and y %s',
    (at) => {
      expect(faultyElementFields({ position: { x: at, y: at } })).toEqual([])
    },
  )

  it.each([
    '100.1%',
    '101%',
    '150%',
    '-1%',
    '50',
    '50px',
    '.5%',
    '5.%',
    '1e1%',
    ' 5%',
    '5 %',
    '%',
    '',
  ])('refuses x and y %j', (at) => {
    const faulty = ['position.x', 'position.y']
    expect(faultyElementFields({ position: { x: at, y: at } })).toEqual(faulty)
  })

  it.each([
    [{ anchor: 'center', x: '1%' }],
    [{ anchor: 'center', y: '1%' }],
    [{ anchor: 'center', x: '1%', y: '1%' }],
  ])('refuses %j: either anchor or x and y', (position) => {
    const elements = [minimalImage, { ...minimalImage, position }]
    expect(faultsOf({ ...minimalBody, elements })).toEqual([
      { field: 'elements[1].position.anchor', message: 'Use either anchor or x and y, not both' },
    ])
  })

  it.each(['middle', 'top', 'Center', 'center-center', ''])('refuses the anchor %j', (anchor) => {
    expect(faultyElementFields({ position: { anchor } })).toEqual(['position.anchor'])
  })
})

describe('size', () => {
  it.each([1, 1.5, 8192, '0.01%', '100%', '1000%', '1000.0%', '33.3%'])('takes %j', (side) => {
    expect(faultyElementFields({ size: { width: side, height: side } })).toEqual([])
  })

  it.each([
    0,
    0.5,
    8192.5,
    8193,
    -1,
    '0%',
    '0.00%',
    '1000.01%',
    '1001%',
    '10',
    '10px',
    '',
    null,
    {},
  ])('refuses %j', (side) => {
    const faulty = ['size.width', 'size.height']
    expect(faultyElementFields({ size: { width: side, height: side } })).toEqual(faulty)
  })

  it('gives each kind of value its own message', () => {
    const size = { width: 9000, height: '2000%' }
    const messages = faultsOf({ ...minimalBody, elements: [{ ...minimalImage, size }] })
    expect(messages.map((fault) => fault.message)).toEqual([
      'Must be at most 8192 pixels',
      'Must be above 0% and at most 1000%',
    ])
  })

  it('takes cover and contain only', () => {
    expect(faultyElementFields({ size: { fit: 'cover' } })).toEqual([])
    expect(faultyElementFields({ size: { fit: 'contain' } })).toEqual([])
    expect(faultyElementFields({ size: { fit: 'stretch' } })).toEqual(['size.fit'])
  })
})

describe('effects', () => {
  it('takes opacity from 0 to 1 and volume from 0 to 10', () => {
    const image = (opacity: number) => faultyElementFields({ effects: { opacity } })
    const audio = (volume: number) => faultyElementFields({ type: 'audio', effects: { volume } })
    expect([image(0), image(0.5), image(1), audio(0), audio(1), audio(10)].flat()).toEqual([])
    expect([image(-0.01), image(1.01), image(2)].flat()).toEqual(Array(3).fill('effects.opacity'))
    expect([audio(-0.01), audio(10.01)].flat()).toEqual(Array(2).fill('effects.volume'))
  })

  it('takes four easings', () => {
    expect(easings).toEqual(['linear', 'ease-in', 'ease-out', 'ease-in-out'])
    const fades = easings.map((easing) => ({ duration: 1, easing }))
    expect(fades.flatMap((fadeIn) => faultyElementFields({ effects: { fadeIn } }))).toEqual([])
  })

  it.each([
    [{ fadeIn: {} }, 'effects.fadeIn.duration'],
    [{ fadeOut: { duration: -0.1 } }, 'effects.fadeOut.duration'],
    [{ fadeIn: { duration: '1s' } }, 'effects.fadeIn.duration'],
    [{ fadeIn: { duration: 1, easing: 'easeIn' } }, 'effects.fadeIn.easing'],
    [{ fadeIn: { duration: 1, ease: 'linear' } }, 'effects.fadeIn.ease'],
    [{ fadein: { duration: 1 } }, 'effects.fadein'],
    [{ fadeIn: 1 }, 'effects.fadeIn'],
  ])('refuses %j on picture and sound, naming %s', (effects, field) => {
    expect(faultyElementFields({ effects })).toEqual([field])
    expect(faultyElementFields({ type: 'audio', effects })).toEqual([field])
  })

  it('takes a fade longer than the clip, which is known only later', () => {
    const effects = { fadeIn: { duration: 5 }, fadeOut: { duration: 5 } }
    expect(faultyElementFields({ effects, timing: { startTime: 0, endTime: 2 } })).toEqual([])
  })
})

it('lets entireVideo win over an end before the start', () => {
  const timing = { startTime: 3, endTime: 2 }
  expect(faultyElementFields({ timing })).toEqual(['timing.endTime'])
  expect(faultyElementFields({ timing: { ...timing, entireVideo: true } })).toEqual([])
})
