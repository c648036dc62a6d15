import path from 'node:path'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { runFfmpeg } from '../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { compileArgs } from '../../../containers/graph/compile-args.ts'
import { inputFile, streamOf } from '../../../containers/graph/filter-graph.ts'
import { blendJoints, uprightForm } from '../../../containers/timeline/blend-joints.ts'
import { placedJoints, type Joint } from '../../../containers/timeline/joints.ts'
import { ffmpeg } from '../../support/containers/run-tool.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

const [width, height] = [64, 48]
const lumaBytes = width * height
const frameBytes = lumaBytes * 1.5
const total = 240
const rate = { frames: 30_000, seconds: 1001 }
const timeline = { frameRate: rate, clipFrames: [total], totalFrames: total }
const types = ['crossfade', 'fade', 'wipe-left', 'wipe-right', 'slide-left', 'slide-right'] as const
/** A cut for each type, and one without a transition. */
const removed = [...types.keys(), 6].map((i) => ({ from: 20 + 30 * i, to: 29 + 30 * i }))
const joints: Joint[] = types.map((type, i) => {
  const { from = 0, to = 0 } = removed[i] ?? {}
  return { from, to, frames: i === 0 ? 9 : 8, type, color: '#203040' }
})
const color = { y: 60, u: 130, v: 120 }

/** What the film has to show: the pictures of the source, and between them mixtures that are computed here. */
function expected(source: readonly Buffer[]): Buffer[] {
  const film: Buffer[] = []
  let from = 0
  for (const [i, hole] of [...removed, { from: total, to: total }].entries()) {
    const joint = joints[i]
    const frames = joint?.frames ?? 0
    film.push(...source.slice(from, hole.from - frames))
    for (let k = 0; joint && k < frames; k++) {
      const before = source[joint.from - frames + k] ?? Buffer.alloc(0)
      film.push(mixed(joint.type, before, source[joint.to + k] ?? Buffer.alloc(0), k / frames))
    }
    from = hole.to + frames
  }
  return film
}

function mixed(type: Joint['type'], before: Buffer, behind: Buffer, share: number): Buffer {
  return Buffer.from(
    before.map((old, at) => {
      const isLuma = at < lumaBytes
      const row = isLuma ? width : width / 2
      const x = (isLuma ? at : at - lumaBytes) % row
      const start = at - x
      const gone = Math.round((width * share) / 2) * (isLuma ? 2 : 1)
      const next = behind[at] ?? 0
      const isLeft = type.endsWith('left')
      const isOld = isLeft ? x < row - gone : x >= gone
      switch (type) {
        case 'crossfade':
          return old * (1 - share) + next * share
        case 'fade': {
          const own = Math.abs(1 - 2 * share)
          const plane = isLuma ? color.y : at < lumaBytes * 1.25 ? color.u : color.v
          return (share < 0.5 ? old : next) * own + plane * (1 - own)
        }
        case 'wipe-left':
        case 'wipe-right':
          return isOld ? old : next
        case 'slide-left':
          return (isOld ? before[start + x + gone] : behind[start + x - row + gone]) ?? 0
        case 'slide-right':
          return (isOld ? before[start + x - gone] : behind[start + x + row - gone]) ?? 0
      }
    }),
  )
}

/** The film as it is made of a source that counts its pictures, and that source. */
async function blend(): Promise<{ source: Buffer[]; film: Buffer[] }> {
  const tools = await aToolContext()
  const name = 'source.mkv'
  const picture = `testsrc2=s=${width}x${height}:r=30000/1001,format=yuv420p`
  const file = path.join(tools.folder, name)
  await ffmpeg(['-f', 'lavfi', '-i', picture, '-frames:v', `${total}`, '-c:v', 'ffv1', file])
  await ffmpeg(['-i', file, '-f', 'rawvideo', `${file}.yuv`])
  const stream = blendJoints(streamOf(inputFile(name, 'matroska'), 'video', 0), {
    form: { ...uprightForm, colorOf: () => color },
    ...{ removed, totalFrames: total, rate, numbered: 'round(N/FRAME_RATE/TB)' },
    joints: placedJoints({ timeline, removed: { all: removed }, joints }),
  })
  const tracks = [{ stream, coding: ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough'] }]
  const muxing = ['-f', 'rawvideo']
  const command = compileArgs({ tracks, muxing, path: 'film.yuv', threads: 2, maxPixels: 1e6 })
  await runFfmpeg(tools, command, () => undefined)
  const film = await framesIn(path.join(tools.folder, 'film.yuv'))
  return { source: await framesIn(`${file}.yuv`), film }
}

it('blendJoints shows every picture as computed: mixtures within rounding, and all others unchanged', async () => {
  const { source, film } = await blend()
  const wanted = expected(source)
  expect(film).toHaveLength(wanted.length)
  expect(film).toHaveLength(total - removed.length * 9 - 9 - 5 * 8)
  const off = film.map((picture, i) => distance(picture, wanted[i] ?? Buffer.alloc(0)))
  // A mixture is made in 64 steps of at most 255.
  expect(Math.max(...off)).toBeLessThanOrEqual(3)
  expect(off.filter((one) => one > 0).length).toBeLessThanOrEqual(9 + 8)
})

function distance(a: Buffer, b: Buffer): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - (b[at] ?? 999))), 0)
}

async function framesIn(file: string): Promise<Buffer[]> {
  const bytes = await readFile(file)
  return Array.from({ length: bytes.length / frameBytes }, (_, i) =>
    bytes.subarray(i * frameBytes, (i + 1) * frameBytes),
  )
}
