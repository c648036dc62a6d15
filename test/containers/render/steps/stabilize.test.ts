import { describe, expect, it } from 'vitest'
import { steadyPath } from '../../../../containers/job/measure/shake/steady-path.ts'
import type { ShakeStep } from '../../../../containers/job/measure/shake/fit-motion.ts'
import { framesOf, type Frame } from '../../../support/containers/films/frame-pixels.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0']

const scene = [
  'mandelbrot=s=420x270:rate=25:end_pts=1e6',
  'select=lt(n\\,1),loop=-1:1,setpts=N/25/TB',
  'hue=s=0,lutyuv=y=clip(val\\,70\\,200)',
  'drawbox=x=203:y=128:w=16:h=16:color=red:t=fill',
].join(',')

const shaking = { x: '50+6*sin(n*1.7)+3*sin(n*0.9+1)', y: '45+5*sin(n*1.3)+3*cos(n*2.3)' }

/** A scene before a camera, for this many pictures; the red square lies in its middle. */
async function filmed(
  { x, y }: { x: string; y: string },
  pictures: number,
  form = 'format=yuv420p',
): Promise<string> {
  const camera = `scale=1680:-2,crop=1280:720:x='4*(${x})':y='4*(${y})',scale=320:180:flags=area`
  const [source, n] = [`${scene},${camera},${form}`, String(pictures)]
  return makeFile('mp4', ['-f', 'lavfi', '-i', source, '-frames:v', n, ...lossless])
}

/** The middle of what is red. */
function redPlace(frame: Frame): { x: number; y: number } {
  const { width, height } = frame
  let [sum, x, y] = [0, 0, 0]
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [red, green] = frame.at(column, row)
      const weight = Math.max(0, red - green - 60)
      sum += weight
      x += weight * column
      y += weight * row
    }
  }
  return { x: x / sum, y: y / sum }
}

/** How far the red square moves from one picture to the next, on average. */
function meanStep(frames: readonly Frame[]): number {
  const places = frames.map(redPlace)
  const steps = places
    .slice(1)
    .map(({ x, y }, i) => Math.hypot(x - (places[i]?.x ?? 0), y - (places[i]?.y ?? 0)))
  return steps.reduce((sum, step) => sum + step, 0) / steps.length
}

function darkestEdge(frame: Frame): number {
  const { width, height } = frame
  const at = (x: number, y: number) => frame.at(x, y)
  const across = Array.from({ length: width }, (_, x) => [at(x, 0), at(x, height - 1)]).flat()
  const down = Array.from({ length: height }, (_, y) => [at(0, y), at(width - 1, y)]).flat()
  return Math.min(...[...across, ...down].map(([red, green, blue]) => Math.max(red, green, blue)))
}

describe('stabilize', () => {
  it('takes out more than nine tenths of the shaking, and shows no border', async () => {
    const file = await filmed(shaking, 50)
    const source = await framesOf(file)
    const { file: made, described } = await renderVideo([{ file }], { stabilize: true })
    const result = await framesOf(made)
    expect(described.steps).toEqual(['stabilize'])
    expect(result).toHaveLength(50)
    expect(meanStep(source)).toBeGreaterThan(8)
    expect(meanStep(result)).toBeLessThan(meanStep(source) / 10)
    expect(Math.min(...result.map(darkestEdge))).toBeGreaterThan(40)
  })

  it('holds a picture with odd sides still', async () => {
    const file = await filmed(shaking, 20, 'scale=161:121,setsar=1,format=yuv444p')
    const { file: made, described } = await renderVideo([{ file }], { stabilize: true })
    expect(described.steps).toEqual(['stabilize'])
    const [first] = await framesOf(made)
    expect(first).toMatchObject({ width: 160, height: 120 })
  })

  it('leaves a picture that does not shake as it is stored', async () => {
    const file = await filmed({ x: '50', y: '45' }, 10)
    const { described } = await renderVideo([{ file }], { stabilize: true })
    expect(described.steps).toEqual([])
  })
})

const size = { width: 640, height: 360, fps: 25 }

describe('steadyPath', () => {
  it('leaves a pan at a steady speed alone, from its first picture to its last', () => {
    const steps = Array.from({ length: 100 }, () => ({ x: -3, y: 1, turn: 0.001 }))
    for (const { x, y, turn } of steadyPath(steps, size).corrections) {
      expect(Math.hypot(x, y) + 320 * Math.abs(turn)).toBeLessThan(1e-6)
    }
  })

  it('does not carry motion from one take into another', () => {
    const pan = (x: number): ShakeStep[] => Array.from({ length: 30 }, () => ({ x, y: 0, turn: 0 }))
    const steps: ShakeStep[] = [...pan(4), 'another take', ...pan(-4)]
    const { corrections } = steadyPath(steps, size)
    expect(corrections).toHaveLength(61)
    for (const { x, y } of corrections) expect(Math.hypot(x, y)).toBeLessThan(1e-6)
  })

  it('never asks for more than a quarter of enlargement', () => {
    const steps = Array.from({ length: 60 }, (_, i) => ({ x: i % 2 ? 300 : -300, y: 0, turn: 0.5 }))
    expect(steadyPath(steps, size).seen).toBeCloseTo(0.8, 3)
  })
})
