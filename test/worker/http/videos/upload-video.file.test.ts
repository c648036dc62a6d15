import { describe, expect, it, vi } from 'vitest'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import type { Answer } from '../../../support/worker/client.ts'
import { standInQueue } from '../../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import {
  aField,
  aFile,
  clip,
  joined,
  leftBehind,
  nothing,
  upload,
} from '../../../support/worker/upload-form.ts'
import { rowOf } from '../../../support/worker/videos.ts'

standInMediaWorkers()
standInQueue()

function details(answer: Answer): unknown {
  return answer.json['details']
}

describe('the file of an upload', () => {
  const brand = (name: string) => joined([Uint8Array.of(0, 0, 0, 16), `ftyp${name}\0\0\0\0`])
  const box = (name: string) => joined([Uint8Array.of(0, 0, 0, 16), `${name}12345678`])
  const ebml = (type: string) =>
    joined([
      Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x80 + type.length + 3, 0x42, 0x82),
      Uint8Array.of(0x80 + type.length),
      type,
      'rest',
    ])

  it.each<[string, Uint8Array]>([
    ['a MOV by its brand', brand('qt  ')],
    ...['moov', 'wide', 'mdat', 'free'].map((name): [string, Uint8Array] => [
      `a MOV that begins with ${name}`,
      box(name),
    ]),
    ['a WebM', ebml('webm')],
    ['an MKV', ebml('matroska')],
    ['an FLV', joined(['FLV', Uint8Array.of(1, 5, 0, 0, 0, 9, 0, 0, 0, 0)])],
    ['an MP3', joined(['ID3', Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0xff, 0xfb, 0x90, 0x64, 0, 0)])],
    ['an AVI', joined(['RIFF', Uint8Array.of(9, 0, 0, 0), 'AVI LIST'])],
  ])('may be %s', async (_, bytes) => {
    expect((await upload(await aClient(), [aFile(bytes, 'a.txt')])).status).toBe(202)
  })

  it.each<[string, Uint8Array | string]>([
    ['a PNG', joined([Uint8Array.of(137), 'PNG\r\n', Uint8Array.of(26, 10, 0, 0, 0, 13), 'IHDR'])],
    ['a PDF', '%PDF-1.7\n1 0 obj'],
    ['a ZIP', joined(['PK', Uint8Array.of(3, 4, 20, 0, 0, 0, 8, 0), 'x'.repeat(40)])],
    ['an HLS playlist', '#EXTM3U\n#EXT-X-VERSION:3\n'],
    ['a web page', '<!doctype html><title>x</title>'],
  ])('is refused with 422 when it is %s, whatever its name', async (_, bytes) => {
    const client = await aClient()
    const answer = await upload(client, [aFile(bytes, 'talk.mp4')])
    expect(answer).toMatchObject({ status: 422, json: { error: 'UnsupportedMediaType' } })
    expect(answer.json['message']).toContain('MP4, MOV, AVI, WebM, MKV')
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it.each<[string, Uint8Array | string]>([
    ['empty', ''],
    ['three bytes long', 'abc'],
    ['shorter than its first box', clip.subarray(0, 20)],
    ['nothing that is known', '\x01\x02\x03'.repeat(2000)],
  ])('is refused with 400 when it is %s', async (_, bytes) => {
    const answer = await upload(await aClient(), [aFile(bytes)])
    expect(answer).toMatchObject({ status: 400, json: { error: 'ValidationError' } })
    expect(details(answer)).toMatchObject([{ field: 'file' }])
  })

  it('is recognised by its first 48 bytes', async () => {
    expect(clip.length).toBe(48)
    expect((await upload(await aClient(), [aFile()])).status).toBe(202)
  })

  it('may be sent without a name, but not as text', async () => {
    const client = await aClient()
    expect((await upload(client, [{ name: 'file', content: clip }])).status).toBe(202)
    const answer = await upload(client, [aField('file', '/home/me/talk.mp4')])
    expect(answer.status).toBe(400)
    expect(answer.json['message']).toContain('-F file=@talk.mp4')
  })

  it('is checked before R2 is called', async () => {
    const begin = vi.spyOn(prototypeOf(bindings.BUCKET), 'createMultipartUpload')
    await upload(await aClient(), [aFile('#EXTM3U\n')])
    expect(begin).not.toHaveBeenCalled()
    begin.mockRestore()
  })
})

describe('the name of an upload', () => {
  it.each([
    ['talk.mp4', 'talk'],
    ['../../x.mp4', 'x'],
    ['C:\\Users\\me\\holiday.mov', 'holiday'],
    ['-clip-.mp4', '-clip-'],
    ['a:b.webm', 'a:b'],
    ['c%d.mp4', 'c%d'],
    ["it's [s].mp4", "it's [s]"],
    ['say \\"cheese\\".mp4', 'say "cheese"'],
    ['say %22cheese%22%0D%0A.mp4', 'say "cheese"'],
    ['🎬 Grüße.mp4', '🎬 Grüße'],
    ['nul\0byte.mp4', 'nulbyte'],
    [`${'x'.repeat(300)}.mp4`, 'x'.repeat(255)],
  ])('%j becomes %j', async (fileName, name) => {
    expect((await rowOf(await upload(await aClient(), [aFile(clip, fileName)]))).name).toBe(name)
  })

  it.each(['', '..', '/', 'folder/'])(
    '%j is not a name, so the video is named by its id',
    async (none) => {
      const row = await rowOf(await upload(await aClient(), [aFile(clip, none)]))
      expect(row.name).toBe(row.id)
    },
  )
})
