import { makeFile } from '../../node/fixtures.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']

/** Red and lime above, blue and white below. */
export async function quarters(size = '64x32', tags: readonly string[] = []) {
  const [w = 0, h = 0] = size.split('x').map(Number)
  const box = (color: string, x: number, y: number): string =>
    `drawbox=x=${x}:y=${y}:w=${w / 2}:h=${h / 2}:c=${color}:t=fill`
  const boxes = [box('lime', w / 2, 0), box('blue', 0, h / 2), box('white', w / 2, h / 2)]
  const picture = `color=red:s=${size}:d=0.2,format=rgb24,${boxes.join(',')}`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...tags, ...lossless])
}
