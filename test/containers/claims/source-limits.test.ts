import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sourceLimits } from '../../../containers/claims/source-limits.ts'

const rows: Record<keyof typeof sourceLimits, string> = {
  packets: 'Pieces of picture or sound in one stream',
  indexedPackets: 'Pieces of picture and sound in the index of all streams',
  streams: 'Streams, cover pictures among them',
  edits: 'Parts of edit lists',
  indexes: 'Indexes that the index of an AVI names',
  chapters: 'Chapters',
  tags: 'Tags',
  tagBytes: 'Bytes of tags and cover pictures of a sound, unpacked',
  headerParts: 'Boxes, elements or chunks beside the media',
  repeatedBytes: 'Bytes that the index lists, in sizes of the file',
  descriptionChars: 'Characters in which a file describes itself',
  gifPictures: 'Pictures of a GIF',
  gifFrames: 'Pixels of all pictures of a GIF, in frames of `MAX_PIXELS`',
  firstPictureSeconds: 'Decoding of its first picture',
  stillMemoryBytes: 'Memory for decoding an image',
}

const units: Partial<Record<keyof typeof sourceLimits, string>> = {
  firstPictureSeconds: ' seconds',
  stillMemoryBytes: ' bytes',
}

it('docs/limits.md publishes every limit of a file with its value', async () => {
  const text = await readFile(new URL('../../../docs/limits.md', import.meta.url), 'utf8')
  const page = text.replaceAll(/ +/g, ' ')
  const missing = Object.entries(sourceLimits).filter(([name, value]) => {
    const limit = name as keyof typeof sourceLimits
    return !page.includes(
      `\n| ${rows[limit]} | ${value.toLocaleString('en')}${units[limit] ?? ''} |`,
    )
  })
  expect(missing).toEqual([])
})
