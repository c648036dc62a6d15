import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { measureElement } from '../../../containers/ffmpeg/measure-element.ts'
import type { ElementType } from '../../../containers/render/render-state.ts'
import { makeFile, makeVideo } from '../../support/node/fixtures.ts'
import {
  halfImage,
  halfWebm,
  plainImage,
  plainVideo,
  threeColorGif,
  turnedJpeg,
} from '../support/element-files.ts'
import { aToolContext } from '../support/tool-context.ts'

type Given = { file?: string; bytes?: Uint8Array | string; maxPixels?: number }

async function measure(type: ElementType, { file, bytes, maxPixels = 40_000_000 }: Given) {
  const context = await aToolContext({ maxPixels })
  const target = path.join(context.folder, 'in1')
  if (file) await copyFile(file, target)
  else await writeFile(target, bytes ?? '')
  const request = { path: 'in1', field: 'elements[2].url', maxSeconds: 100, type }
  return measureElement(context, request)
}

/** A PNG that says it is this large, with a right checksum and nothing behind it. */
async function boastingPng(side: number): Promise<Buffer> {
  const bytes = await readFile(await plainImage('#ff0000', '16x16'))
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/x.png"/></svg>'

describe('measureElement', () => {
  it('finds the size and the transparency of images', async () => {
    expect(await measure('image', { file: await plainImage('#ff0000', '33x21') })).toEqual({
      kind: 'still',
      demuxer: 'png_pipe',
      width: 33,
      height: 21,
      hasAlpha: false,
    })
    expect(await measure('image', { file: await halfImage('#ff0000', 20) })).toMatchObject({
      hasAlpha: true,
    })
    const jpeg = await plainImage('#ff0000', '40x20', 'jpg')
    expect(await measure('image', { file: jpeg })).toMatchObject({ width: 40, height: 20 })
    expect(await measure('image', { file: await turnedJpeg(jpeg, 6) })).toEqual({
      kind: 'still',
      demuxer: 'jpeg_pipe',
      width: 20,
      height: 40,
      hasAlpha: false,
    })
  })

  it('counts the pictures of a GIF and the length of one round, last picture included', async () => {
    expect(await measure('gif', { file: await threeColorGif() })).toEqual({
      kind: 'gif',
      width: 32,
      height: 32,
      frames: 3,
      seconds: 0.8,
    })
  })

  it('takes a GIF of one picture for an image', async () => {
    const gif = await makeFile('gif', ['-f', 'lavfi', '-i', 'color=s=16x16', '-frames:v', '1'])
    expect(await measure('gif', { file: gif })).toMatchObject({ kind: 'still', demuxer: 'gif' })
  })

  it('sees that a WebM is transparent', async () => {
    const webm = await measure('video', { file: await halfWebm('red', 0.4, 'libvpx-vp9') })
    const mp4 = await measure('video', { file: await plainVideo() })
    expect(webm).toMatchObject({ kind: 'movie', media: { video: { hasAlpha: true } } })
    expect(mp4).toMatchObject({ kind: 'movie', media: { video: { hasAlpha: false } } })
  })

  it.each([
    ['image', svg, 'not a PNG or JPEG image but: SVG image'],
    ['image', '', 'not a PNG or JPEG image but empty'],
    ['image', '#EXTM3U\n/etc/hostname\n', 'not a PNG or JPEG image but: HLS playlist'],
    ['gif', svg, 'not a GIF but: SVG image'],
    ['gif', 'nonsense', 'not a GIF'],
  ] as const)('refuses as %s what it is not: %s', async (type, bytes, what) => {
    await expect(measure(type, { bytes })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: `elements[2].url: the file is ${what}.`,
    })
  })

  it('opens each type only as what it says it is', async () => {
    const gif = { file: await threeColorGif() }
    const png = { file: await plainImage('#ff0000', '16x16') }
    const mp4 = { file: await plainVideo() }
    const cases = [measure('image', gif), measure('image', mp4), measure('gif', png)]
    const refusals = await Promise.allSettled([...cases, measure('video', png)])
    expect(refusals.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
      [
        'JobError: elements[2].url: the file is not a PNG or JPEG image but: GIF.',
        'JobError: elements[2].url: the file is not a PNG or JPEG image but: MP4.',
        'JobError: elements[2].url: the file is not a GIF but: PNG.',
        'JobError: elements[2].url: the file is not a video but: PNG. Supported are MP4, MOV, AVI and WebM.',
      ],
    )
  })

  it('refuses what is damaged', async () => {
    const png = (await readFile(await plainImage('#ff0000', '16x16'))).subarray(0, 45)
    const mp4 = (await readFile(await makeVideo({ seconds: 1 }))).subarray(0, 60)
    await expect(measure('image', { bytes: png })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: 'elements[2].url: the picture cannot be decoded.',
    })
    await expect(measure('video', { bytes: mp4 })).rejects.toMatchObject({
      reason: 'element_unusable',
    })
  })

  it('refuses what is too large, without decoding it', async () => {
    await expect(measure('image', { bytes: await boastingPng(65_536) })).rejects.toMatchObject({
      reason: 'element_unusable',
    })
    const small = { bytes: await boastingPng(1_000), maxPixels: 999_999 }
    await expect(measure('image', small)).rejects.toMatchObject({ reason: 'element_unusable' })
    const file = await plainVideo()
    await expect(measure('video', { file, maxPixels: 1_000 })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: 'elements[2].url: the picture is 320 × 240; at most 1000 pixels are allowed.',
    })
  })
})
