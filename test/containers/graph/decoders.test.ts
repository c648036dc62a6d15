import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { guardedInput, decodersOf } from '../../../containers/graph/compile-args.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'

const run = promisify(execFile)

/** Decodes half a second of picture in this coding as a source is decoded. */
async function decode(coding: readonly string[], name: string, demuxer: string): Promise<string> {
  const folder = await aFolder()
  const source = ['-f', 'lavfi', '-i', 'testsrc=duration=0.5:size=128x96:rate=10']
  await ffmpeg([...source, ...coding, path.join(folder, name)])
  const decoding = ['-v', 'error', ...guardedInput(name, demuxer), '-f', 'framecrc', '-']
  return run('ffmpeg', decoding, { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stderr }: { stderr: string }) => stderr,
  )
}

describe('decodersOf', () => {
  it.each([
    ['H.264', ['-c:v', 'libx264'], 'a.mp4', 'mov'],
    ['ProRes', ['-c:v', 'prores'], 'a.mov', 'mov'],
    ['VP9', ['-c:v', 'libvpx-vp9'], 'a.webm', 'matroska'],
    ['Motion JPEG', ['-c:v', 'mjpeg'], 'a.avi', 'avi'],
    ['raw pictures', ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p'], 'a.avi', 'avi'],
  ])('lets %s through', async (_, coding, name, demuxer) => {
    expect(await decode(coding, name, demuxer)).toMatch(/^0,/m)
  })

  it('allows no decoder that no camera, editor or recorder needs', async () => {
    expect(await decode(['-c:v', 'asv1'], 'a.avi', 'avi')).toContain('not on whitelist')
    expect(await decode(['-c:v', 'roqvideo', '-r', '30'], 'a.avi', 'avi')).not.toMatch(/^0,/m)
  })

  it('names only decoders of this ffmpeg, or of other builds of it', async () => {
    const listed = (await ffmpeg(['-decoders'])).matchAll(/^ [VAS][F.][S.][X.][B.][D.] (\S+)/gm)
    const known = new Set([...listed].map(([, name]) => name))
    const missing = decodersOf('mov').filter((name) => !known.has(name))
    expect(missing.filter((name) => !name.startsWith('lib'))).toEqual([])
    expect(known.size).toBeGreaterThan(2 * decodersOf('mov').length)
  })

  it('allows one decoder for an image', () => {
    expect(decodersOf('png_pipe')).toEqual(['png'])
  })
})
