import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFile } from '../../node/fixtures.ts'
import { aFolder } from '../tool-context.ts'
import { rgbOf } from './frame-pixels.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']

/** A video of one colour, without sound: what is laid over it can be told to the pixel. */
export async function plainVideo(
  color = '#000000',
  seconds = 1,
  { size = '320x240', fps = '25', tags = [] as readonly string[] } = {},
): Promise<string> {
  const picture = `color=c=${color}:s=${size}:r=${fps}:d=${seconds},format=rgb24`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...tags, ...lossless])
}

export async function plainImage(color: string, size: string, extension = 'png'): Promise<string> {
  const picture = ['-f', 'lavfi', '-i', `color=c=${color}:s=${size},format=rgb24`, '-frames:v', '1']
  return makeFile(extension, [...picture, ...(extension === 'jpg' ? ['-q:v', '1'] : [])])
}

/** A square of one colour whose right half is transparent, and black there. */
export async function halfImage(color: string, size: number): Promise<string> {
  const [r = 0, g = 0, b = 0] = rgbOf(color).map((value) => `if(lt(X,W/2),${value},0)`)
  const pixels = `geq=r='${r}':g='${g}':b='${b}':a='if(lt(X,W/2),255,0)'`
  const picture = `color=c=black:s=${size}x${size},format=rgba,${pixels}`
  return makeFile('png', ['-f', 'lavfi', '-i', picture, '-frames:v', '1'])
}

/** Red for 0.2 s, lime for 0.4 s, blue for 0.2 s; the right half is transparent. */
export async function threeColorGif(): Promise<string> {
  const colors = ['red', 'lime', 'blue'].map(
    (color) => `color=c=${color}:s=32x32:r=25:d=0.04,format=rgba`,
  )
  const sources = colors.flatMap((color) => ['-f', 'lavfi', '-i', color])
  const graph =
    "[0][1][2]concat=n=3,setpts='if(eq(N,0),0,if(eq(N,1),0.2,0.6))/TB'," +
    "geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,16),255,0)'," +
    'split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=alpha_threshold=128'
  const gif = ['-filter_complex', graph, '-fps_mode', 'passthrough', '-final_delay', '20']
  return makeFile('gif', [...sources, ...gif])
}

/** VP9 or VP8 in WebM: the colour on the left, transparent on the right. */
export async function halfWebm(color: string, seconds: number, codec: string): Promise<string> {
  const alpha = "geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(X,W/2),255,0)'"
  const picture = `color=c=${color}:s=64x64:r=25:d=${seconds},format=yuva420p,${alpha}`
  const coding = ['-c:v', codec, '-pix_fmt', 'yuva420p', '-b:v', '1M', '-auto-alt-ref', '0']
  return makeFile('webm', ['-f', 'lavfi', '-i', picture, ...coding])
}

/** The same JPEG with an EXIF orientation. */
export async function turnedJpeg(file: string, orientation: number): Promise<string> {
  const bytes = await readFile(file)
  const entry = Buffer.from([0x12, 0x01, 0x03, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0])
  const tiff = Buffer.concat([Buffer.from('II*\0\x08\0\0\0\x01\0', 'latin1'), entry])
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const header = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  const target = path.join(await aFolder(), `turned-${orientation}.jpg`)
  await writeFile(target, Buffer.concat([bytes.subarray(0, 2), header, exif, bytes.subarray(2)]))
  return target
}
