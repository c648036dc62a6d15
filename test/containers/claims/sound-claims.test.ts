import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { measureElement } from '../../../containers/ffmpeg/measure-element.ts'
import { takeSources } from '../../../containers/ffmpeg/take-sources.ts'
import {
  flacBombs,
  flacWith,
  id3Bombs,
  id3Frame,
  id3Tag,
  wavBombs,
  wavWith,
} from '../../support/node/bombs/sound-bombs.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

const sounds: Record<string, Buffer> = {}
const sound = (format: string): Buffer => sounds[format] ?? Buffer.alloc(0)

beforeAll(async () => {
  for (const extension of ['mp3', 'wav', 'flac']) {
    const sine = ['-f', 'lavfi', '-i', 'sine=d=0.5', '-map_metadata', '-1', '-fflags', '+bitexact']
    sounds[extension] = await readFile(await makeFile(extension, sine))
  }
})

async function take(bytes: Buffer) {
  const tools = await aToolContext()
  await writeFile(path.join(tools.folder, 'in0'), bytes)
  const ground = { field: 'background', ground: '#000000', path: undefined, waveColor: undefined }
  const taken = takeSources(tools.folder, [{ path: 'in0', field: 'fileUrl' }], {
    maxSeconds: 100,
    backgroundColor: '#000000',
    soundPicture: ground,
    isHeardOnly: true,
    inTurns: async (items, takeOne) => {
      for (const item of items) await takeOne(item, tools)
    },
  })
  return { tools, taken }
}

describe('a sound that claims more than it holds', () => {
  it.each([
    ['MP3', () => id3Bombs(sound('mp3'))],
    ['a tag in front of a FLAC', () => id3Bombs(sound('flac'))],
    ['WAV', () => wavBombs(sound('wav'))],
    ['FLAC', () => flacBombs(sound('flac'))],
  ])('is refused before any program opens it: %s', async (_, bombs) => {
    const wrong: unknown[] = []
    for (const [name, { bytes, says }] of Object.entries(bombs())) {
      const { tools, taken } = await take(bytes)
      const error: unknown = await taken.then(
        () => 'taken',
        (thrown: unknown) => thrown,
      )
      const isPlain =
        error instanceof Error && says.test(error.message) && tools.commands.length === 0
      if (!isPlain) wrong.push([name, error])
    }
    expect(wrong).toEqual([])
  })

  it('is refused as an element too', async () => {
    const tools = await aToolContext()
    const { 'two hundred covers': bomb } = id3Bombs(sound('mp3'))
    await writeFile(path.join(tools.folder, 'in1'), bomb?.bytes ?? '')
    const field = 'elements[0].url'
    const measured = measureElement(tools, { path: 'in1', field, maxSeconds: 100, type: 'audio' })
    await expect(measured).rejects.toMatchObject({
      reason: 'element_unusable',
      message: `${field}: the file has 101 streams; at most 100 are allowed.`,
    })
    expect(tools.commands).toEqual([])
  })

  it('is taken if it has tags, a cover and chapters, or a length that was never filled in', async () => {
    const cover = Buffer.concat([Buffer.from('\0image/png\0\x03\0'), Buffer.alloc(3_000)])
    const chapter = Buffer.concat([Buffer.from('a\0'), Buffer.alloc(16)])
    const title = (version: number) => id3Frame('TIT2', Buffer.alloc(300, 'a'), { version })
    const tags = [
      id3Tag(Buffer.concat([title(3), id3Frame('CHAP', Buffer.concat([chapter, title(3)]))])),
      // Lengths of version 3 in version 4.
      id3Tag(Buffer.concat([title(3), id3Frame('APIC', cover), title(3)]), { version: 4 }),
    ]
    const open = Buffer.from(sound('wav'))
    open.writeUInt32LE(0xffffffff, 4)
    open.writeUInt32LE(0xffffffff, open.indexOf('data') + 4)
    const honest = [
      ...tags.map((tag) => Buffer.concat([tag, sound('mp3')])),
      ...[open, wavWith(sound('wav'), Buffer.from('LIST\x0e\0\0\0INFOINAM\x01\0\0\0a\0'))],
      flacWith(sound('flac'), Buffer.from([1, 0, 1, 0]), Buffer.alloc(256)),
    ]
    for (const bytes of honest) {
      const { taken } = await take(bytes)
      const [clip] = await taken
      expect(clip?.facts.durationSeconds).toBeCloseTo(0.5, 2)
    }
  })
})
