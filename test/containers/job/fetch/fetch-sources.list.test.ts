import { describe, expect, it } from 'vitest'
import {
  listElementFiles,
  listBesideFiles,
} from '../../../../containers/job/fetch/fetch-sources.ts'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

const logo = { type: 'image', url: 'https://a.example/logo.png' }
const clip = { type: 'video', url: 'https://a.example/files/token/clip.webm' }

const listed = (elements: readonly unknown[], elementSources?: MediaJob['elementSources']) =>
  listElementFiles({
    options: optionsSchema.parse({ elements }),
    ...(elementSources && { elementSources }),
  })

describe('listElementFiles', () => {
  it('lists an address once, with every element that uses it', () => {
    expect(listed([logo, clip, logo])).toEqual([
      {
        field: 'elements[0].url',
        url: logo.url,
        origin: 'customer',
        failure: 'element_unusable',
        elements: [0, 2],
      },
      {
        field: 'elements[1].url',
        url: clip.url,
        origin: 'customer',
        failure: 'element_unusable',
        elements: [1],
      },
    ])
  })

  it('checks every address that is not marked as our own', () => {
    const files = listed(
      [logo, clip],
      [
        { url: 'https://a.example/logo.png?parsed', origin: 'customer' },
        { url: clip.url, origin: 'storage' },
      ],
    )
    expect(files).toMatchObject([
      { url: 'https://a.example/logo.png?parsed', origin: 'customer' },
      { url: clip.url, origin: 'storage' },
    ])
  })

  it('is empty without elements', () => {
    expect(listElementFiles({ options: optionsSchema.parse({}) })).toEqual([])
  })
})

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
