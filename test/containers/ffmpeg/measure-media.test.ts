import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { knownVideos } from '../../../worker/contract/video/sniff-format.ts'
import { campaignAfter } from '../../support/node/campaign.ts'
import { makeFile, makeVideo } from '../../support/node/fixtures.ts'
import { aToolContext, type TestTools } from '../../support/containers/tool-context.ts'
import { progressiveScan } from '../../../containers/timeline/scan-facts.ts'

type Given = { file?: string; bytes?: Uint8Array | string; tools?: Partial<TestTools> }

async function measure({ file, bytes, tools }: Given, maxSeconds = 100) {
  const context = await aToolContext(tools)
  const target = path.join(context.folder, 'in0')
  if (file) await copyFile(file, target)
  else await writeFile(target, bytes ?? '')
  return measureMedia(context, { path: 'in0', field: 'fileUrl', maxSeconds })
}

/** Adds 9 MB that every reader skips. */
function padded(bytes: Buffer, extension: string): Buffer {
  const padding = Buffer.alloc(9_000_000)
  if (extension === 'webm') {
    // A `Void` element with its length in eight bytes.
    padding.writeUInt8(0xec, 0)
    padding.writeUInt8(0x01, 1)
    padding.writeUInt32BE(padding.length - 9, 5)
  } else {
    padding.writeUInt32BE(padding.length, 0)
    padding.write('free', 4)
  }
  return Buffer.concat([bytes, padding])
}

describe('measureMedia', () => {
  it('finds size, rate, length and codecs', async () => {
    expect(
      await measure({ file: await makeVideo({ seconds: 2, fps: '30000/1001' }) }),
    ).toMatchObject({
      format: 'mp4',
      video: { codec: 'h264', width: 160, height: 120, hasConstantRate: true },
      audio: { codec: 'aac', channels: 2, sampleRate: 44_100 },
    })
  })

  it('gives the size as shown: rotated, and with square pixels', async () => {
    const wide = await makeVideo({ seconds: 1, filters: ['-vf', 'setsar=2/1'] })
    const turning = ['-display_rotation', '90', '-i', wide, '-c', 'copy']
    const turned = await makeFile('mp4', turning).catch(() => undefined)
    expect((await measure({ file: wide })).video).toMatchObject({ width: 320, height: 120 })
    // ffmpeg 5.1 writes the rotation as a tag of the stream.
    const tagged = await makeFile('mp4', ['-i', wide, '-c', 'copy', '-metadata:s:v:0', 'rotate=90'])
    expect((await measure({ file: turned ?? tagged })).video).toMatchObject({
      width: 120,
      height: 320,
    })
  })

  it('reads the packets if the header has no length', async () => {
    const vp8 = ['-c:v', 'libvpx', '-b:v', '50k', '-c:a', 'libopus', '-live', '1']
    const file = await makeVideo({ seconds: 2, extension: 'webm', coding: vp8 })
    const facts = await measure({ file })
    expect(facts.durationSeconds).toBeCloseTo(2, 0)
    expect(facts.video.averageFps).toBeCloseTo(25, 0)
  })

  it('does not believe a header that promises days', async () => {
    const parts = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-g', '25']
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...parts]
    const bytes = await readFile(await makeVideo({ seconds: 1, tone: null, coding }))
    for (const [type, at] of [
      ['mvhd', 20],
      ['tkhd', 24],
      ['mdhd', 20],
    ] as const) {
      const offset = bytes.indexOf(type)
      bytes.writeUInt32BE(2_000_000_000, offset + at)
    }
    const { durationSeconds, promisedSeconds } = await measure({ bytes })
    expect(durationSeconds).toBeCloseTo(1, 1)
    expect(promisedSeconds).toBeGreaterThan(1_000)
  })

  it('measures the existing part of a truncated file', async () => {
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-movflags', '+faststart']
    const whole = await makeVideo({ seconds: 8, tone: null, coding })
    const { length } = await readFile(whole)
    const context = await aToolContext()
    const target = path.join(context.folder, 'in0')
    await copyFile(whole, target)
    await truncate(target, Math.round(length / 2))
    const facts = await measureMedia(context, { path: 'in0', field: 'fileUrl', maxSeconds: 100 })
    expect(facts.durationSeconds).toBeGreaterThan(2)
    expect(facts.durationSeconds).toBeLessThan(6)
  })

  it('gives a last picture of unknown length the usual length', async () => {
    const times = "settb=1/1000,setpts='PTS+floor(10*sin(3*N))'"
    const vfr = ['-vf', times, '-fps_mode', 'vfr', '-enc_time_base', '1/1000', '-c:v', 'libx264']
    const file = await makeVideo({ seconds: 0.7, fps: 10, tone: null, coding: vfr })
    const { video } = await measure({ file })
    expect(video.endSeconds).toBeCloseTo(0.69, 2)
    expect(video.averageFps).toBeCloseTo(10.1, 1)
  })

  it('does not believe a header that promises a little more sound', async () => {
    const coding = ['-c:v', 'libx264', '-bf', '2', '-c:a', 'libmp3lame']
    const file = await makeVideo({ seconds: 2, extension: 'avi', coding })
    expect((await measure({ file })).durationSeconds).toBeCloseTo(2.04, 2)
  })

  it('takes the length of picture and sound, not of another language or subtitles', async () => {
    const video = await makeVideo({ seconds: 1 })
    const long = ['-f', 'lavfi', '-i', 'sine=d=4', '-map', '0', '-map', '1', '-c:v', 'copy']
    const { durationSeconds, promisedSeconds } = await measure({
      file: await makeFile('mp4', ['-i', video, ...long]),
    })
    expect(durationSeconds).toBeCloseTo(1, 1)
    expect(promisedSeconds).toBeUndefined()
  })

  it('takes a film whose edit list begins where no picture can be decoded by itself', async () => {
    const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=60:bframes=4']
    const moving = ['-f', 'lavfi', '-i', 'testsrc2=size=128x64:rate=30:duration=2']
    const whole = await makeFile('mp4', [...moving, ...hevc, '-tag:v', 'hvc1'])
    const copied = ['-c', 'copy', '-movflags', 'negative_cts_offsets']
    const bytes = await readFile(await makeFile('mp4', ['-ss', '0.4', '-i', whole, ...copied]))
    // The first sample that is said to be a sync sample lies at the beginning of the edit.
    bytes.writeUInt32BE(12, bytes.indexOf('stss') + 12)
    const { video } = await measure({ bytes })
    expect(video).toMatchObject({ codec: 'hevc', width: 128, height: 64 })
    expect(video.endSeconds).toBeCloseTo(1.53, 1)
  })

  it('ignores a cover picture', async () => {
    const cover = await makeFile('png', ['-f', 'lavfi', '-i', 'color=s=64x64', '-frames:v', '1'])
    const video = await makeVideo({ seconds: 1 })
    const maps = ['-map', '1', '-map', '0', '-c', 'copy', '-disposition:v:0', 'attached_pic']
    const file = await makeFile('mp4', ['-i', video, '-i', cover, ...maps])
    expect((await measure({ file })).video.codec).toBe('h264')
  })

  it('refuses a playlist named as a video, and says what it is', async () => {
    const bytes = '#EXTM3U\n#EXTINF:1,\n/etc/hostname\n'
    await expect(measure({ bytes })).rejects.toMatchObject({
      reason: 'source_not_media',
      message: `fileUrl: the file is not a video of a known format (found: HLS playlist). Supported are ${knownVideos}.`,
    })
  })

  it('refuses an empty file', async () => {
    await expect(measure({ bytes: '' })).rejects.toMatchObject({ reason: 'source_not_media' })
  })

  it('refuses a file without a picture', async () => {
    const file = await makeFile('mp4', ['-f', 'lavfi', '-i', 'sine=d=1'])
    await expect(measure({ file })).rejects.toMatchObject({
      reason: 'source_undecodable',
      message: 'fileUrl: the file has no picture.',
    })
  })

  it('refuses an encrypted video', async () => {
    const lock = ['-encryption_scheme', 'cenc-aes-ctr'].concat([
      ...['-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'],
      ...['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'],
    ])
    const file = await makeFile('mp4', [
      '-i',
      await makeVideo({ seconds: 1 }),
      '-c',
      'copy',
      ...lock,
    ])
    await expect(measure({ file })).rejects.toMatchObject({
      reason: 'source_undecodable',
      message: 'fileUrl: the video is encrypted.',
    })
  })

  it('refuses rubbish after a valid beginning', async () => {
    const bytes = (await readFile(await makeVideo({ seconds: 1 }))).subarray(0, 60)
    await expect(measure({ bytes })).rejects.toMatchObject({ reason: 'source_undecodable' })
  })

  it('refuses a picture that cannot be decoded at all', async () => {
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-movflags', '+faststart']
    const bytes = await readFile(await makeVideo({ seconds: 1, tone: null, coding }))
    bytes.fill(0, bytes.indexOf('mdat') + 4)
    await expect(measure({ bytes })).rejects.toMatchObject({
      reason: 'source_undecodable',
      message: 'fileUrl: the picture (h264) cannot be decoded.',
    })
  })

  it('measures a small file with two programs, and its own result with one', async () => {
    const tools = await aToolContext()
    await measure({ file: await makeVideo({ seconds: 1 }), tools })
    expect(tools.commands.map(({ program }) => program)).toEqual(['ffprobe', 'ffmpeg'])
    const request = { path: 'in0', field: 'result', maxSeconds: 100, isOurs: true }
    await measureMedia(tools, request)
    expect(tools.commands.slice(2).map(({ program }) => program)).toEqual(['ffprobe'])
    const ofAnyRate = { ...request, isOurs: false, isUpright: true, scan: progressiveScan }
    await measureMedia(tools, ofAnyRate)
    expect(tools.commands.slice(3).map(({ program }) => program)).toEqual(['ffprobe'])
  })

  for (const [i, [what, extension, changes]] of (
    [
      ['uneven times', 'mp4', ['-vf', "select='not(mod(n,3))+not(mod(n,7))'", '-vsync', 'vfr']],
      ['no length', 'webm', ['-live', '1']],
      ['pictures out of order', 'mp4', []],
      ['a late beginning', 'mp4', ['-output_ts_offset', '3']],
      ['whole milliseconds', 'webm', []],
    ] as const
  ).entries()) {
    const title = `measures the same for ${what} in ${extension}, whether read at once or in pieces`
    it(title, { tags: campaignAfter(2, i) }, async () => {
      const webm = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus', ...changes]
      const mp4 = ['-c:v', 'libx264', '-bf', '2', '-c:a', 'aac', ...changes]
      const coding = extension === 'mp4' ? mp4 : webm
      const bytes = await readFile(await makeVideo({ seconds: 2, extension, coding }))
      const atOnce = await measure({ bytes })
      const large = padded(bytes, extension)
      expect(await measure({ bytes: large })).toEqual({ ...atOnce, sizeBytes: large.length })
    })
  }

  it('refuses a video that is too long or too large', async () => {
    const file = await makeVideo({ seconds: 2 })
    await expect(measure({ file }, 1)).rejects.toMatchObject({ reason: 'source_too_large' })
    await expect(measure({ file, tools: { maxPixels: 10_000 } })).rejects.toMatchObject({
      reason: 'source_too_large',
    })
  })
})
