import { describe, expect, it } from 'vitest'
import { readGuides } from '../../../scripts/guides/read-guides.ts'
import { searchRecords } from '../../../scripts/guides/search-records.ts'
import { DocsIndex } from '../../../worker/app/scripts/docs/find-in-docs.ts'

const index = new DocsIndex(searchRecords(readGuides()))
const first = (query: string): string => index.find(query)[0]?.href ?? ''

/** What people type, and the page that says how. */
const asked: readonly (readonly [query: string, page: string])[] = [
  ['subtitles', '/docs/captions'],
  ['burn subtitles into a video', '/docs/captions#captions'],
  ['Closed captions', '/docs/captions'],
  ['trim', '/docs/cutting#trim-a-clip'],
  ['trim a video', '/docs/cutting#trim-a-clip'],
  ['jump cuts', '/docs/cookbook/podcast'],
  ['shorts', '/docs/cookbook/vertical-clip'],
  ['TikTok', '/docs/cookbook/vertical-clip'],
  ['instagram reels', '/docs/cookbook/vertical-clip'],
  ['watermark', '/docs/cookbook/vertical-clip'],
  ['resize', '/docs/cookbook/vertical-clip'],
  ['merge videos', '/docs/cookbook/join-clips'],
  ['concat', '/docs/cookbook/join-clips'],
  ['mute', '/docs/api#options'],
  ['soundless', '/docs/cookbook/join-clips'],
  ['denoise', '/docs/cookbook/podcast'],
  ['loudness', '/docs/cookbook/podcast'],
  ['um', '/docs/edit-by-text#fillers'],
  ['gpu', '/docs/self-hosting#sizing'],
  ['webhook signature', '/docs/webhooks#checking-the-signature'],
  ['verify a webhook', '/docs/webhooks#checking-the-signature'],
  ['api key', '/docs/api'],
  ['rate limit', '/docs/api#rate-limits'],
  ['429', '/docs/api#rate-limits'],
  ['pricing', '/docs/api#usage'],
  ['zapier', '/docs/no-code'],
  ['claude', '/docs/agents'],
  ['docker', '/docs/self-hosting'],
  ['delete a video', '/docs/reference/deleteVideo'],
  ['s3', '/docs/cookbook/into-my-bucket'],
  ['multipart upload', '/docs/uploads#in-parts'],
  ['install', '/docs/cli'],
  ['whisper', '/docs/providers#every-language-whisper'],
]

describe('the search of the guides', () => {
  it.each(asked)('leads from “%s” to the page that says how', (query, page) => {
    expect(first(query)).toBe(page)
  })

  it('finds what is typed half or wrongly', () => {
    expect(first('webho')).toContain('/docs/webhooks')
    expect(first('signatrue')).toBe('/docs/webhooks#checking-the-signature')
  })

  it('finds a part of what is asked where nothing has all of it, and nothing for nothing', () => {
    expect(first('captions quokka')).toContain('/captions')
    expect(index.find('quokka')).toEqual([])
    expect(index.find('  ')).toEqual([])
  })
})
