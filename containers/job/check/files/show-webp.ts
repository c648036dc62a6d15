import { open, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readTool, type ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../../graph/compile-args.ts'
import type { Grid } from '../shown/picture-grid.ts'
import type { Webp, WebpFrame } from './read-webp.ts'

/** Each picture may change only a part of the one before, so all of them are decoded: more than this would take too long. */
const mostFrames = 40

/**
 * Small copies of the pictures that a WebP shows from its beginning on: each frame laid over the ones before. No program
 * here decodes moving WebP, so each frame is decoded as a picture of its own. Undefined if one cannot be decoded.
 */
export async function showWebp(
  tools: ToolContext,
  file: string,
  webp: Webp,
  { count, grid }: { readonly count: number; readonly grid: Grid },
): Promise<Buffer[] | undefined> {
  const frames = webp.frames.slice(0, Math.min(count, mostFrames))
  const pixels = await decodeFrames(tools, file, frames)
  if (!pixels) return undefined
  const canvas = Buffer.alloc(webp.width * webp.height * 4)
  let at = 0
  return frames.map((frame) => {
    const bytes = frame.width * frame.height * 4
    lay(canvas, webp.width, frame, pixels.subarray(at, at + bytes))
    at += bytes
    const shown = gridOfColors(canvas, webp, grid)
    if (frame.isCleared) lay(canvas, webp.width, { ...frame, isOver: false }, Buffer.alloc(bytes))
    return shown
  })
}

/** Red, green, blue and opacity of each frame, one after the other. */
async function decodeFrames(
  tools: ToolContext,
  file: string,
  frames: readonly WebpFrame[],
): Promise<Buffer | undefined> {
  const [all, raw] = ['frames.webp', 'frames.raw']
  const inFolder = (name: string): string => path.join(tools.folder, name)
  try {
    await using handle = await open(inFolder(file))
    const parts: Buffer[] = []
    for (const frame of frames) {
      const chunks = Buffer.alloc(frame.bytes)
      await handle.read(chunks, 0, chunks.length, frame.offset)
      parts.push(asFile(frame, chunks))
    }
    await writeFile(inFolder(all), Buffer.concat(parts))
    const writing = ['-pix_fmt', 'rgba', '-autoscale', '0', '-fps_mode', 'passthrough']
    const asked = [...guardedGlobals, '-y', ...guardedInput(all, 'webp_pipe')]
    await readTool(tools, 'ffmpeg', [...asked, ...writing, '-f', 'rawvideo', `file:${raw}`])
    const pixels = await readFile(inFolder(raw)).catch(() => Buffer.alloc(0))
    const due = frames.reduce((sum, { width, height }) => sum + width * height * 4, 0)
    return pixels.length === due ? pixels : undefined
  } finally {
    await Promise.all([all, raw].map(async (name) => rm(inFolder(name), { force: true })))
  }
}

/** A WebP file with one frame: its head and, for one with transparent parts, the size of its canvas. */
function asFile({ width, height }: WebpFrame, chunks: Buffer): Buffer {
  const isTransparent = chunks.toString('latin1', 0, 4) === 'ALPH'
  const canvas = Buffer.alloc(isTransparent ? 18 : 0)
  if (isTransparent) {
    canvas.write('VP8X', 'latin1')
    canvas.writeUInt32LE(10, 4)
    canvas.writeUInt8(0x10, 8)
    canvas.writeUIntLE(width - 1, 12, 3)
    canvas.writeUIntLE(height - 1, 15, 3)
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + canvas.length + chunks.length, 4)
  return Buffer.concat([head, canvas, chunks])
}

function lay(canvas: Buffer, across: number, frame: WebpFrame, pixels: Buffer): void {
  const { x, y, width, height, isOver } = frame
  for (let row = 0; row < height; row++) {
    const from = row * width * 4
    const to = ((y + row) * across + x) * 4
    if (!isOver) pixels.copy(canvas, to, from, from + width * 4)
    else {
      for (let i = 0; i < width * 4; i += 4) {
        if ((pixels[from + i + 3] ?? 0) > 127) pixels.copy(canvas, to + i, from + i, from + i + 4)
      }
    }
  }
}

/** BT.601 in limited range, to which programs convert the colours of screens. */
const toBrightness = [16, 65.738 / 256, 129.057 / 256, 25.064 / 256] as const
const toBlue = [128, -37.945 / 256, -74.494 / 256, 112.439 / 256] as const
const toRed = [128, 112.439 / 256, -94.154 / 256, -18.285 / 256] as const

/** Converts red, green, blue and opacity into the brightness and both colours of each cell. */
function gridOfColors(picture: Buffer, size: Grid, grid: Grid): Buffer {
  const cells = grid.width * grid.height
  const sums = [0, 1, 2].map(() => new Float64Array(cells))
  const counts = new Float64Array(cells)
  for (let y = 0; y < size.height; y++) {
    const row = Math.floor((y * grid.height) / size.height) * grid.width
    for (let x = 0; x < size.width; x++) {
      const cell = row + Math.floor((x * grid.width) / size.width)
      const at = (y * size.width + x) * 4
      counts[cell] = (counts[cell] ?? 0) + 1
      for (const [i, sum] of sums.entries()) sum[cell] = (sum[cell] ?? 0) + (picture[at + i] ?? 0)
    }
  }
  const small = Buffer.alloc(cells * 3)
  for (let cell = 0; cell < cells; cell++) {
    const colors = sums.map((sum) => (sum[cell] ?? 0) / Math.max(1, counts[cell] ?? 0))
    for (const [plane, [none, ...shares]] of [toBrightness, toBlue, toRed].entries()) {
      const value = shares.reduce((sum, share, i) => sum + share * (colors[i] ?? 0), none)
      small[plane * cells + cell] = Math.round(value)
    }
  }
  return small
}
