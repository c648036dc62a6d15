import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Control, Field } from '../../../../worker/app/new-video/form/control.ts'
import { describeControls } from '../../../../worker/app/new-video/form/describe-controls.ts'
import { groupFields } from '../../../../worker/app/new-video/form/group-fields.ts'
import { createVideo } from '../../../../worker/contract/options/create-video.ts'
import { processingOptions } from '../../../../worker/contract/options/options.ts'

const fields = describeControls(createVideo)
const fieldNamed = (name: string, among: readonly Field[] = fields) =>
  among.find((field) => field.name === name)
const controlOf = (name: string) => fieldNamed(name)?.control

function controlFor(schema: z.ZodType): Control | undefined {
  return describeControls(z.strictObject({ option: schema }))[0]?.control
}

describe('describeControls', () => {
  it('gives every field of a request a control, in words of a person', () => {
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(createVideo.shape))
    const words = (list: readonly Field[]): string[] =>
      list.flatMap(({ label, hint = '', control }) => {
        if (control.kind === 'group') return [label, hint, ...words(control.fields)]
        if (control.kind === 'list') return control.kinds.flatMap((kind) => words(kind.fields))
        return [label, hint]
      })
    expect(words(fields).filter((text) => text.includes('when absent'))).toEqual([])
    expect(fieldNamed('removeSilence')?.label).toBe('Cut the pauses')
  })

  it('shows what is so if nothing is said, with its default in its place', () => {
    const captions = controlOf('captions')
    const inner = captions?.kind === 'group' ? captions.fields : []
    expect(fieldNamed('style', inner)?.control).toMatchObject({ kind: 'choice', usual: 'plain' })
    expect(fieldNamed('position', inner)?.control).toMatchObject({ usual: 'bottom' })
    expect(fieldNamed('color', inner)?.control).toMatchObject({ example: '#FFFFFF' })
    expect(fieldNamed('embed', inner)?.control).toEqual({ kind: 'flag' })
    const elements = controlOf('elements')
    const kinds = elements?.kind === 'list' ? elements.kinds : []
    const text = kinds.find(({ name }) => name === 'text')?.fields
    expect(fieldNamed('lineHeight', text)?.control).toMatchObject({ usual: '1.25' })
    const gif = kinds.find(({ name }) => name === 'gif')?.fields
    expect(fieldNamed('loop', gif)?.control).toMatchObject({ kind: 'choice', usual: true })
  })

  it('enters as JSON only an object of one’s own', () => {
    const written = (list: readonly Field[]): string[] =>
      list.flatMap(({ name, control }) => {
        if (control.kind === 'group') return written(control.fields)
        if (control.kind === 'list') return control.kinds.flatMap((kind) => written(kind.fields))
        return control.kind === 'json' ? [name] : []
      })
    // The form has a field for each of the values.
    expect(written(fields)).toEqual(['metadata', 'values'])
  })

  it('gives an option that is new in the schema the control of its kind', () => {
    const more = createVideo.extend({
      mirror: z.enum(['off', 'left', 'right']).default('off').describe('Which side is copied'),
      grain: z.number().min(0).max(10).optional().describe('Seconds of film grain'),
      rate: z.number().optional().describe('Bits a second, which no second exceeds'),
      shots: z
        .array(z.strictObject({ at: z.number() }))
        .max(3)
        .optional(),
    })
    const added = describeControls(more)
    expect(fieldNamed('mirror', added)).toEqual({
      name: 'mirror',
      label: 'Mirror',
      hint: 'Which side is copied',
      control: { kind: 'choice', values: ['off', 'left', 'right'], initial: 'off', unit: '' },
    })
    expect(fieldNamed('grain', added)?.control).toMatchObject({ min: 0, max: 10, unit: 's' })
    expect(fieldNamed('rate', added)?.control).toMatchObject({ unit: 'bit/s' })
    expect(fieldNamed('shots', added)?.control).toMatchObject({ kind: 'list', most: 3 })
    const last = groupFields(added).at(-1)
    expect(last?.title).toBe('More')
    expect(last?.fields.map(({ name }) => name)).toEqual(['mirror', 'grain', 'rate', 'shots'])
  })

  it('shows flags, ranges, choices and colours as what they are', () => {
    expect(controlOf('removeSilence')).toEqual({ kind: 'flag', initial: false })
    expect(controlOf('compressionQuality')).toMatchObject({ kind: 'number', min: 1, max: 100 })
    expect(controlOf('rotate')).toMatchObject({
      kind: 'choice',
      values: [0, 90, 180, 270],
      unit: '°',
    })
    expect(controlOf('backgroundColor')).toMatchObject({ looks: 'line', initial: '#000000' })
    const fade = controlOf('fadeIn')
    const fields = fade?.kind === 'group' ? fade.fields : []
    const color = fields.find(({ name }) => name === 'color')
    expect(color?.control).toMatchObject({ looks: 'colour', example: '#000000' })
    expect(controlOf('webhookUrl')).toMatchObject({
      looks: 'address',
      example: 'https://example.com/hooks',
    })
  })

  it('tells the kinds of items of a list apart', () => {
    const elements = controlOf('elements')
    const kinds = elements?.kind === 'list' ? elements.kinds : []
    expect(kinds.map(({ name }) => name)).toEqual([
      'image',
      'gif',
      'video',
      'audio',
      'text',
      'blur',
    ])
    const [image, , , audio] = kinds
    expect(fieldNamed('size', image?.fields)?.control).toMatchObject({
      kind: 'group',
      fields: [{ name: 'width', control: { kind: 'mixed' } }, { name: 'height' }, { name: 'fit' }],
    })
    expect(fieldNamed('position', audio?.fields)).toBeUndefined()
    expect(fieldNamed('url', audio?.fields)).toBeDefined()
  })

  it('takes a flag without a default for one that is off, and writes what it cannot show as JSON', () => {
    expect(controlFor(z.boolean().optional())).toEqual({ kind: 'flag' })
    expect(controlFor(z.record(z.string(), z.number()))?.kind).toBe('json')
    expect(controlFor(z.record(z.string(), z.string()))?.kind).toBe('terms')
    expect(controlFor(z.array(z.string()))?.kind).toBe('phrases')
    expect(controlFor(z.array(z.number()))?.kind).toBe('json')
    expect(controlFor(z.union([z.boolean(), z.array(z.number())]))?.kind).toBe('json')
    expect(controlFor(z.int())).toEqual({ kind: 'number', whole: true, unit: '' })
  })
})

it('groupFields puts every option under a heading, none twice, and the source nowhere', () => {
  const grouped = groupFields(fields).flatMap((group) => group.fields.map(({ name }) => name))
  const { combine, ...options } = processingOptions
  expect(combine).toBeDefined()
  expect(grouped.toSorted()).toEqual(
    [
      ...Object.keys(options),
      ...['reuse', 'destinations', 'maxSeconds', 'maxPrice', 'webhookUrl', 'metadata'],
    ].toSorted(),
  )
})
