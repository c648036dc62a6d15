import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { sniffBytes, sniffFormat } from '../../worker/contract/video/sniff-format.ts'
import { makeFile, makeVideo } from '../support/node/fixtures.ts'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)

function box(type: string, content = ''): Uint8Array {
  const body = text(type + content)
  return Uint8Array.from([0, 0, 0, body.length + 4, ...body])
}

async function head(file: string): Promise<Uint8Array> {
  const handle = await open(file)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
  await handle.close()
  return buffer.subarray(0, bytesRead)
}

describe('sniffFormat', () => {
  it('knows the four video formats as ffmpeg writes them', async () => {
    const vp8 = ['-c:v', 'libvpx', '-b:v', '50k', '-c:a', 'libopus']
    const clips = {
      mp4: await makeVideo({ seconds: 1 }),
      mov: await makeVideo({ seconds: 1, extension: 'mov' }),
      avi: await makeVideo({ seconds: 1, extension: 'avi', coding: ['-c:v', 'mpeg4'] }),
      webm: await makeVideo({ seconds: 1, extension: 'webm', coding: vp8 }),
    }
    for (const [format, file] of Object.entries(clips)) {
      expect(await sniffFormat(await head(file))).toEqual({ kind: 'video', format })
    }
  })

  it('knows the containers whose packets are put into another one', async () => {
    const mpeg2 = ['-c:v', 'mpeg2video', '-c:a', 'mp2']
    const files = {
      mkv: await makeVideo({ seconds: 1, extension: 'mkv' }),
      ts: await makeVideo({ seconds: 1, extension: 'ts' }),
      flv: await makeVideo({ seconds: 1, extension: 'flv' }),
      mpg: await makeVideo({ seconds: 1, extension: 'mpg', coding: mpeg2 }),
      ogv: await makeVideo({ seconds: 1, extension: 'ogv', coding: ['-c:v', 'libtheora'] }),
    }
    for (const [format, file] of Object.entries(files)) {
      expect(await sniffFormat(await head(file))).toEqual({ kind: 'video', format })
    }
    const blurays = await makeVideo({ seconds: 1, extension: 'm2ts' })
    expect(await sniffFormat(await head(blurays))).toEqual({ kind: 'video', format: 'ts' })
    const middle = (await head(files.ts)).subarray(77)
    expect(await sniffFormat(middle)).toEqual({ kind: 'video', format: 'ts' })
  })

  it('does not take Ogg with nothing but sound for a video', async () => {
    const ogg = await makeFile('ogg', ['-f', 'lavfi', '-i', 'sine=d=0.2'])
    expect(await sniffFormat(await head(ogg))).toMatchObject({ kind: 'sound' })
  })

  it('recognises m4v and the 3GP files of phones as mp4', async () => {
    const mp4 = { kind: 'video', format: 'mp4' }
    expect(await sniffFormat(box('ftyp', 'M4V \0\0\0\0M4V mp42'))).toEqual(mp4)
    expect(await sniffFormat(box('ftyp', '3gp4\0\0\0\0isom3gp4'))).toEqual(mp4)
    expect(await sniffFormat(box('ftyp', '3gp5\0\0\0\x003gp5'))).toEqual(mp4)
  })

  it('recognises QuickTime files from before ftyp as mov', async () => {
    for (const type of ['moov', 'wide', 'mdat', 'free', 'skip']) {
      const bytes = box(type, 'somethingelse')
      expect(await sniffFormat(bytes)).toEqual({ kind: 'video', format: 'mov' })
    }
  })

  it('names playlists, manifests, scripts and pages that pretend to be video', async () => {
    const names = async (content: string): Promise<unknown> => sniffFormat(text(content))
    expect(await names('#EXTM3U\n#EXTINF:1,\n/etc/passwd')).toMatchObject({ name: 'HLS playlist' })
    expect(await names("ffconcat version 1.0\nfile 'x'")).toMatchObject({ name: 'ffconcat script' })
    expect(await names('v=0\r\no=- 0 0 IN IP4 1.1.1.1')).toMatchObject({ name: 'SDP description' })
    expect(await names('<?xml version="1.0"?>\n<MPD type="x">')).toMatchObject({
      name: 'DASH manifest',
    })
    expect(await names('\ufeff<!-- a --><svg xmlns="x">')).toMatchObject({ name: 'SVG image' })
    expect(await names('  <!DOCTYPE html><html>')).toMatchObject({ name: 'HTML page' })
    expect(await names('{"error":"not found"}')).toMatchObject({ name: 'JSON text' })
  })

  it('names sound and still pictures, those in MP4 boxes too', async () => {
    const mp3 = await makeFile('mp3', ['-f', 'lavfi', '-i', 'sine=d=0.2'])
    const m4a = await makeFile('m4a', ['-f', 'lavfi', '-i', 'sine=d=0.2'])
    const png = await makeFile('png', ['-f', 'lavfi', '-i', 'color=s=16x16', '-frames:v', '1'])
    expect(await sniffFormat(await head(mp3))).toMatchObject({ kind: 'sound', format: 'mp3' })
    expect(await sniffFormat(await head(m4a))).toMatchObject({ kind: 'sound', format: 'm4a' })
    expect(await sniffFormat(await head(png))).toMatchObject({ kind: 'picture', format: 'png' })
    expect(await sniffFormat(box('ftyp', 'avif\0\0\0\0mif1avif'))).toMatchObject({
      kind: 'picture',
    })
  })

  it('says so if it does not know the format', async () => {
    expect(await sniffFormat(new Uint8Array(0))).toEqual({ kind: 'unknown' })
    expect(await sniffFormat(Uint8Array.from([1, 2, 3]))).toEqual({ kind: 'unknown' })
    expect(await sniffFormat(text('plain words'))).toEqual({ kind: 'unknown' })
  })
})
