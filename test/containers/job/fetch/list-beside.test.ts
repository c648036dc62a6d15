import { describe, expect, it } from 'vitest'
import { listBesideFiles } from '../../../../containers/job/fetch/list-beside.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

describe('listBesideFiles', () => {
  it('fetches a font from where the job has it, or else from where the option names it', () => {
    const font = 'https://example.com/own.ttf'
    const options = optionsSchema.parse({ elements: [{ type: 'text', text: 'Hello', font }] })
    const field = 'elements[0].font'
    expect(listBesideFiles({ options })).toMatchObject([{ field, url: font, origin: 'customer' }])
    const beside = [{ field, url: 'http://files.example/own.ttf', origin: 'link' as const }]
    expect(listBesideFiles({ options, beside })).toMatchObject([
      { field, url: 'http://files.example/own.ttf', origin: 'link' },
    ])
  })
})
