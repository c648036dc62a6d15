import { describe, expect, it } from 'vitest'
import {
  faultsOf,
  faultyElementFields,
  minimalBody,
  minimalImage,
} from '../../support/node/create-faults.ts'

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

  it('takes loop on everything that plays', () => {
    expect(
      ['gif', 'video', 'audio'].flatMap((type) => faultyElementFields({ type, loop: true })),
    ).toEqual([])
    expect(faultyElementFields({ type: 'image', loop: false })).toEqual(['loop'])
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
