import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { measureElement, type MediaType } from '../../../containers/ffmpeg/measure-element.ts'
import type { ToolContext } from '../../../containers/ffmpeg/process/run-tool.ts'
import { makeFile, makeVideo } from '../../support/node/fixtures.ts'
import {
  halfImage,
  halfWebm,
  plainImage,
  plainVideo,
  threeColorGif,
  turnedJpeg,
} from '../../support/containers/films/element-files.ts'
import { firstFrame } from '../../support/containers/films/frame-pixels.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

type Given = {
  file?: string
  bytes?: Uint8Array | string
  maxPixels?: number
  maxSeconds?: number
  limits?: Partial<ToolContext['limits']>
}

async function measure(
  type: MediaType,
  { file, bytes, maxPixels = 40_000_000, maxSeconds = 100, limits = {} }: Given,
) {
  const roomy = await aToolContext({ maxPixels })
  const context = { ...roomy, limits: { ...roomy.limits, ...limits } }
  const target = path.join(context.folder, 'in1')
  if (file) await copyFile(file, target)
  else await writeFile(target, bytes ?? '')
  const request = { path: 'in1', field: 'elements[2].url', maxSeconds, type }
  return measureElement(context, request)
}

/** A PNG whose header claims this size, with a right checksum and no data. */
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

  it.each([
    ['webp', ['-c:v', 'libwebp', '-quality', '100']],
    ['avif', ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8', '-crf', '1']],
  ])('draws a %s as PNG, in its colours', async (format, coding) => {
    const context = await aToolContext()
    const drawn = path.join(context.folder, 'in1')
    const red = ['-f', 'lavfi', '-i', 'color=s=64x48:c=0xc02040', '-frames:v', '1']
    await copyFile(await makeFile(format, [...red, ...coding]), drawn)
    const request = { path: 'in1', field: 'elements[0].url', maxSeconds: 1, type: 'image' } as const
    expect(await measureElement(context, request)).toEqual({
      ...{ kind: 'still', demuxer: 'png_pipe', width: 64, height: 48, hasAlpha: false },
    })
    const found = (await firstFrame(drawn)).at(30, 20)
    const apart = [0xc0, 0x20, 0x40].map((value, i) => Math.abs(value - (found[i] ?? 0)))
    expect(Math.max(...apart)).toBeLessThan(5)
  })

  it('counts the pictures of a GIF and measures one round, including the last picture', async () => {
    expect(await measure('gif', { file: await threeColorGif() })).toEqual({
      kind: 'gif',
      width: 32,
      height: 32,
      frames: 3,
      seconds: 0.8,
    })
  })

  it('treats a GIF of one picture as an image', async () => {
    const gif = await makeFile('gif', ['-f', 'lavfi', '-i', 'color=s=16x16', '-frames:v', '1'])
    expect(await measure('gif', { file: gif })).toMatchObject({ kind: 'still', demuxer: 'gif' })
  })

  it('recognises a transparent WebM', async () => {
    const webm = await measure('video', { file: await halfWebm('red', 0.4, 'libvpx-vp9') })
    const mp4 = await measure('video', { file: await plainVideo() })
    expect(webm).toMatchObject({ kind: 'movie', media: { video: { hasAlpha: true } } })
    expect(mp4).toMatchObject({ kind: 'movie', media: { video: { hasAlpha: false } } })
  })

  it.each([
    ['image', svg, 'not a JPEG, PNG, WebP or AVIF picture (found: SVG image)'],
    ['image', '', 'not a JPEG, PNG, WebP or AVIF picture (found: an empty file)'],
    [
      'image',
      '#EXTM3U\n/etc/hostname\n',
      'not a JPEG, PNG, WebP or AVIF picture (found: HLS playlist)',
    ],
    ['gif', svg, 'not a GIF (found: SVG image)'],
    ['gif', 'nonsense', 'not a GIF'],
  ] as const)('refuses as %s a file that is something else: %s', async (type, bytes, what) => {
    await expect(measure(type, { bytes })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: `elements[2].url: the file is ${what}.`,
    })
  })

  it('opens each file only as the type that the element names', async () => {
    const gif = { file: await threeColorGif() }
    const png = { file: await plainImage('#ff0000', '16x16') }
    const mp4 = { file: await plainVideo() }
    const cases = [measure('image', gif), measure('image', mp4), measure('gif', png)]
    const refusals = await Promise.allSettled([...cases, measure('video', png)])
    expect(refusals.map((result) => result.status === 'rejected' && String(result.reason))).toEqual(
      [
        'JobError: elements[2].url: the file is not a JPEG, PNG, WebP or AVIF picture (found: GIF). The element for it has the type gif.',
        'JobError: elements[2].url: the file is not a JPEG, PNG, WebP or AVIF picture (found: MP4).',
        'JobError: elements[2].url: the file is not a GIF (found: PNG). The element for it has the type image.',
        'JobError: elements[2].url: the file is not a video of a known format (found: PNG). Supported are MP4, MOV, AVI, WebM, MKV, MPEG-TS, FLV, 3GP, MPG and OGV.',
      ],
    )
  })

  it('refuses a damaged file', async () => {
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

  it('refuses a picture that is too large, without decoding it', async () => {
    await expect(measure('image', { bytes: await boastingPng(65_536) })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: expect.stringContaining('the picture is 65536 × 65536') as string,
    })
    const small = { bytes: await boastingPng(1_000), maxPixels: 999_999 }
    await expect(measure('image', small)).rejects.toMatchObject({
      reason: 'element_unusable',
      message: 'elements[2].url: the picture is 1000 × 1000; at most 999999 pixels are allowed.',
    })
    const file = await plainVideo()
    await expect(measure('video', { file, maxPixels: 1_000 })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: 'elements[2].url: the picture is 320 × 240; at most 1000 pixels are allowed.',
    })
  })

  it('ends an image that unpacks to more than the memory or the time it is given', async () => {
    const packed = await packedPng(10, 100_000_000)
    const small = { bytes: packed, limits: { memoryBytes: 100_000_000 } }
    await expect(measure('image', small)).rejects.toMatchObject({
      reason: 'element_unusable',
      message:
        'elements[2].url: decoding the first picture takes more than 100,000,000 bytes of memory.',
    })
    const short = { bytes: await drawnOften('2000x2000'), limits: { wallMs: 300 } }
    await expect(measure('image', short)).rejects.toMatchObject({
      reason: 'element_unusable',
      message: expect.stringContaining('decoding the first picture takes longer than') as string,
    })
  })

  campaign('refuses an image that unpacks to gigabytes', async () => {
    const packed = await packedPng(20, 300_000_000)
    await expect(measure('image', { bytes: packed })).rejects.toMatchObject({
      reason: 'element_unusable',
      message: expect.stringMatching(
        /^elements\[2\]\.url: decoding the first picture takes (more than 1,073,741,824 bytes of memory|longer than 20 seconds)\.$/,
      ) as string,
    })
  })

  campaign('refuses a GIF with too many pictures or pixels', async () => {
    await expect(
      measure('gif', { bytes: tinyFrames(10, 30_000), maxSeconds: 14_400 }),
    ).rejects.toMatchObject({
      reason: 'element_unusable',
      message:
        'elements[2].url: the file has more than 20,000 pieces of picture or sound in one stream; at most 20,000 are allowed.',
    })
    await expect(
      measure('gif', { bytes: tinyFrames(6_000, 1_000), maxSeconds: 14_400 }),
    ).rejects.toMatchObject({
      reason: 'element_unusable',
      message:
        'elements[2].url: the GIF has 1000 pictures of 6000 × 6000; at most 10,000,000,000 pixels together are allowed.',
    })
  })
})

function times<Value>(count: number, value: Value): Value[] {
  return Array.from({ length: count }, () => value)
}

/** A small PNG with this many texts, each of which unpacks to this many bytes. */
async function packedPng(texts: number, bytesEach: number): Promise<Buffer> {
  const bytes = await readFile(await plainImage('#ff0000', '16x16'))
  // The texts follow the signature and the header.
  const packed = times(texts, packedText(bytesEach))
  return Buffer.concat([bytes.subarray(0, 33), ...packed, bytes.subarray(33)])
}

/** A JPEG whose picture is drawn 400 times. */
async function drawnOften(size: string): Promise<Buffer> {
  const jpeg = await readFile(await plainImage('#00ff00', size, 'jpg'))
  const scan = jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])), -2)
  return Buffer.concat([jpeg.subarray(0, -2), ...times(400, scan), jpeg.subarray(-2)])
}

/** A chunk `zTXt` of a PNG that unpacks to this many bytes. */
function packedText(bytes: number): Buffer {
  const body = Buffer.concat([Buffer.from('zTXtk\0\0'), deflateSync(Buffer.alloc(bytes))])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** A large GIF whose pictures are of one pixel each, a hundredth of a second long. */
function tinyFrames(side: number, count: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(side, 6)
  head.writeUInt16LE(side, 8)
  const control = [0x21, 0xf9, 4, 0, 1, 0, 0, 0]
  const picture = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  const frame = Buffer.from([...control, ...picture])
  return Buffer.concat([head, Buffer.alloc(frame.length * count, frame), Buffer.from(';')])
}
