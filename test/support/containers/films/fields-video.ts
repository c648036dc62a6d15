import { makeFile } from '../../node/fixtures.ts'

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '8', '-pix_fmt', 'yuv420p']

/** How interlaced footage comes: said to be so, or not. */
export const codedFields = {
  h264: [...x264, '-flags', '+ildct+ilme'],
  unmarked: x264,
  mpeg2: ['-c:v', 'mpeg2video', '-flags', '+ildct+ilme', '-q:v', '2'],
  dv: ['-c:v', 'dvvideo', '-pix_fmt', 'yuv420p'],
  mjpeg: ['-c:v', 'mjpeg', '-q:v', '2', '-pix_fmt', 'yuvj420p'],
} as const

const size = '720x576'

/** A round pattern on a soft ground that moves a few pixels each fiftieth of a second, across and a little down. */
export const movingAt50 = (seconds = 1): string => {
  const ground = `nullsrc=s=1200x800:r=50:d=${seconds}`
  const rings = "lum='128+80*sin(hypot(X-600,Y-400)/9)':cb=128:cr=128"
  return `${ground},trim=end_frame=1,geq=${rings},loop=-1:1,setpts=N/50/TB,trim=end_frame=${seconds * 50},crop=${size.replace('x', ':')}:n*4:40+n,format=yuv420p`
}

/** Two of its pictures in the lines of each of these. */
export async function fieldsVideo(
  extension: string,
  firstField: 'top' | 'bottom',
  coding: readonly string[],
): Promise<string> {
  const order = firstField === 'top' ? 'tff' : 'bff'
  const woven = `tinterlace=interleave_${firstField},setfield=${order}`
  const marked = coding.includes('libx264') && coding.includes('-flags')
  const params = marked ? ['-x264-params', `${order}=1`] : []
  const picture = `${movingAt50()},${woven}`
  return makeFile(extension, ['-f', 'lavfi', '-i', picture, ...coding, ...params])
}

/** The same, whole; or another picture, for a second. */
export async function wholeVideo(
  coding: readonly string[],
  picture = movingAt50(),
): Promise<string> {
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, '-t', '1', ...coding])
}

/** Five pictures of every four, as film is shown on television. */
export async function filmVideo(): Promise<string> {
  const film = `${movingAt50(2)},setpts=N*1001/24000/TB,fps=24000/1001,telecine=pattern=23`
  const coding = [...codedFields.h264, '-x264-params', 'tff=1']
  return makeFile('mp4', ['-f', 'lavfi', '-i', film, ...coding])
}
