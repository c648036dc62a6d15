import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { uploadVideo } from '../../../worker/contract/options/create-video.ts'
import { decodeFormFields, explainMisread } from '../../../worker/contract/options/form-fields.ts'
import { parseInput } from '../../../worker/contract/input/parse-input.ts'
import { validBody } from '../../support/node/valid-body.ts'
import { seeded } from '../../support/node/seeded.ts'

function faultyFields(fields: Record<string, string>): string[] {
  const parsed = parseInput(uploadVideo, decodeFormFields(uploadVideo, fields))
  return parsed.ok ? [] : [...new Set(parsed.faults.map(({ field }) => field))]
}

function valueOf(name: string, text: string): unknown {
  return decodeFormFields(uploadVideo, { [name]: text })[name]
}

describe('explainMisread', () => {
  it.each([
    ['removeSilence', 'TRUE', 'Must be true or false'],
    ['compressionQuality', '1e2', 'Must be a number in plain decimals, such as 50'],
    ['elements', '[{', expect.stringMatching(/^Is not valid JSON: /)],
    ['metadata', '{a:1}', expect.stringMatching(/^Is not valid JSON: /)],
    ['removeSilence', 'true', undefined],
    ['compressionQuality', '999', undefined],
    ['elements', '"x"', undefined],
    ['webhookUrl', 'x', undefined],
    ['constructor', 'x', undefined],
  ])('of %s=%s says what a form may hold', (name, text, message) => {
    expect(explainMisread(uploadVideo, name, text)).toEqual(message)
  })
})

describe('decodeFormFields', () => {
  it.each([
    ['90', 90],
    ['0', 0],
    ['090', '090'],
    ['45', '45'],
    ['auto', 'auto'],
  ])('reads %j as the literal it spells', (text, value) => {
    const schema = z.object({ turn: z.literal([0, 90, 'auto']).default(0) })
    expect(decodeFormFields(schema, { turn: text })['turn']).toBe(value)
  })

  it.each(['TRUE', 'True', '1', '0', '', 'yes', 'on', ' true', 'true ', 'null', '"true"'])(
    'refuses the boolean %j by its field',
    (text) => {
      expect(faultyFields({ removeSilence: text })).toEqual(['removeSilence'])
    },
  )

  it.each([
    ...['1e2', 'NaN', ' 50 ', '0x10', '', 'Infinity', '-Infinity', '5,5', '50%', '.5', '5.', '+5'],
    ...['1_0', '٥٠', '50\n', '--5', 'true', '[50]', '0', '101', '-1', '9'.repeat(400)],
  ])('refuses the number %j by its field', (text) => {
    expect(faultyFields({ compressionQuality: text })).toEqual(['compressionQuality'])
  })

  it.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
    ['99.99', 99.99],
  ])('takes the number %s', (text, value) => {
    expect(valueOf('compressionQuality', text)).toBe(value)
  })

  it.each([
    '[',
    '{',
    '',
    'undefined',
    "[{'type':'image'}]",
    '[1,]',
    '\uFEFF[]',
    '[{"a":1,"a":2}]',
    '{}',
  ])('refuses the JSON %j by its field', (text) => {
    expect(faultyFields({ elements: text })).toEqual(['elements'])
    expect(faultyFields({ removeSegments: text })).toEqual(['removeSegments'])
  })

  it.each(['{"a":1,"a":2}', '[]', 'text', '', 'null'])('refuses the metadata %j', (text) => {
    expect(faultyFields({ metadata: text })).toEqual(['metadata'])
  })

  it('refuses JSON nested too deep without running out of stack', () => {
    const metadata = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)
    expect(faultyFields({ metadata, elements: '['.repeat(100_000) })).toEqual([
      'metadata',
      'elements',
    ])
  })

  it.each(['12', 'true', 'false', 'null', '[]', '{}', '"quoted"', '1e2', ' a '])(
    'leaves the name %j a text',
    (text) => {
      expect(valueOf('videoName', text)).toBe(text)
      expect(faultyFields({ videoName: text })).toEqual([])
    },
  )

  it('refuses a combined upload and other sources, each by name', () => {
    const fields = { combine: 'true', fileUrl: 'https://a.b/c', files: '[]', uploadId: 'u_1' }
    expect(faultyFields(fields).sort()).toEqual(['combine', 'fileUrl', 'files', 'uploadId'])
  })

  it('takes no field for a property every object has', () => {
    expect(faultyFields({ constructor: 'x', toString: 'y' })).toEqual(['constructor', 'toString'])
    const fields = JSON.parse('{"__proto__":"x"}') as Record<string, string>
    expect(faultyFields(fields)).toEqual(['__proto__'])
  })

  it('gives back any valid body that was written as a form', () => {
    const bodies = validBody({ sourceUrl: 'https://a.example/v', mediaUrl: 'https://a.example/m' })
    fc.assert(
      fc.property(bodies, ({ fileUrl, ...body }) => {
        expect(fileUrl).toBeDefined()
        // A form has no exponents.
        fc.pre(!JSON.stringify(body['compressionQuality'] ?? 1).includes('e'))
        const fields = Object.entries(body).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ])
        const form = Object.fromEntries(fields) as Record<string, string>
        expect({ ...decodeFormFields(uploadVideo, form) }).toEqual(body)
        expect(faultyFields(form)).toEqual([])
      }),
      seeded(80),
    )
  })
})
