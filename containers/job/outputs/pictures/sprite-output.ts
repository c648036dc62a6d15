import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileInFolder, namedKind, partKind } from '../../../../worker/contract/job/media-job.ts'
import { limits } from '../../../../worker/contract/limits.ts'
import { writeVtt } from '../../../../worker/contract/captions/write-captions.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import { excerptOf } from '../../../render/steps/take-excerpt.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import type { ResultFile } from '../../render/finish-output.ts'
import { gridFor } from '../../check/shown/picture-grid.ts'
import {
  openPictures,
  sizeWithin,
  type MadePictures,
  type OpenedPictures,
  type PictureOutput,
} from './open-pictures.ts'
import { codePictures, jpegCoding, jpegFilters } from './picture-coding.ts'
import { takePictures } from './take-pictures.ts'
import type { Span } from '../../../numbers/spans.ts'

type SpriteOutput = PictureOutput & { readonly outputFormat: 'sprite' }

export const isSpriteOutput = (output: PictureOutput): output is SpriteOutput =>
  output.outputFormat === 'sprite'

const usual = { side: 160, pictures: 100, leastInterval: 0.5 } as const
/** Phones scale down larger pictures, or show none of them. */
const sheet = { tiles: 10, side: 4096 } as const

/** Makes small pictures at even intervals on sheets, and a WebVTT file that says which one stands for which seconds. */
export async function renderSprite(
  cut: Cut,
  output: SpriteOutput,
  place: number,
): Promise<MadePictures> {
  const { opened, span, moments, warnings } = await openSprite(cut, output, place)
  const middles = moments.map(({ from, to }) => span.start + (from + to) / 2)
  const tiles = await takePictures(opened, middles, `sprite${place}`)
  const grid = gridOf(opened.size)
  const quality = output.compressionQuality ?? cut.context.job.options.compressionQuality
  const { name } = output
  const sheets = await writeSheets(opened, { tiles, grid, quality, place, name })
  const file = `sprite${place}.vtt`
  const text = writePlaces(moments, opened.size, grid)
  await writeFile(path.join(opened.context.tools.folder, file), text)
  const kind = namedKind(name)
  const tile = gridFor(opened.size)
  return {
    files: [{ file, kind, extension: 'vtt', contentType: 'text/vtt' }, ...sheets],
    planned: {
      sizes: sheetsOf(moments.length, grid, opened.size),
      grids: sheetsOf(moments.length, grid, tile),
    },
    shown: { kind: 'tiles', opened, moments: middles, ...grid, tile },
    told: {
      ...{ name, kind, format: 'vtt', ...opened.size },
      files: sheets.map((one) => one.kind),
      warnings,
    },
  }
}

/** The pictures as they are arranged on the sheets, and the moments at which they are taken. */
export async function openSprite(cut: Cut, output: SpriteOutput, place: number) {
  const { startTime, duration, ...asked } = output
  const whole = { ...asked, captions: false } as const
  const opened = await openPictures(cut, { ...whole, ...sizeWithin(cut, whole, usual.side) }, place)
  const excerpt = excerptOf({ startTime, duration }, opened.seconds, opened.frameRate)
  const { span } = excerpt
  const { moments, warnings } = momentsOf(span.end - span.start, asked.interval)
  const told = [...opened.warnings, ...excerpt.warnings, ...warnings].slice(0, 200)
  return { opened, span, moments, warnings: told }
}

/** Which seconds of the excerpt each picture stands for. */
function momentsOf(
  seconds: number,
  interval: number | undefined,
): { readonly moments: Span[]; readonly warnings: string[] } {
  const usualInterval = Math.ceil((seconds / usual.pictures) * 10) / 10
  const asked = interval ?? Math.max(usual.leastInterval, usualInterval)
  const isTooMany = seconds / asked > limits.spritePictures
  const step = isTooMany ? seconds / limits.spritePictures : asked
  const count = Math.max(1, Math.ceil(seconds / step - 1e-6))
  const moments = Array.from({ length: count }, (_, i) => ({
    from: i * step,
    to: Math.min(seconds, (i + 1) * step),
  }))
  const said = Number(step.toFixed(3))
  const warning = `interval: a sprite has at most ${limits.spritePictures} pictures, so there is one every ${said} s.`
  return { moments, warnings: isTooMany ? [warning] : [] }
}

/** How many pictures stand side by side, and one below the other, on a full sheet. */
type Tiling = { readonly across: number; readonly down: number }

function gridOf({ width, height }: Size): Tiling {
  const fitting = (side: number) =>
    Math.max(1, Math.min(sheet.tiles, Math.floor(sheet.side / side)))
  return { across: fitting(width), down: fitting(height) }
}

/** How large each sheet is; the last one has only the rows that it needs. */
function sheetsOf(count: number, { across, down }: Tiling, { width, height }: Size): Size[] {
  const rows = Math.ceil(count / across)
  return Array.from({ length: Math.ceil(rows / down) }, (_, i) => ({
    width: width * across,
    height: height * Math.min(down, rows - i * down),
  }))
}

type Sheets = {
  readonly tiles: readonly string[]
  readonly grid: Tiling
  readonly quality: number
  readonly place: number
  readonly name: string
}

async function writeSheets(
  { context: { tools } }: OpenedPictures,
  { tiles, grid: { across, down }, quality, place, name }: Sheets,
): Promise<ResultFile[]> {
  const perSheet = across * down
  const sheets: ResultFile[] = []
  for (let first = 0; first < tiles.length; first += perSheet) {
    const on = tiles.slice(first, first + perSheet)
    const part = `sheet${sheets.length + 1}`
    const file = `sprite${place}-${part}.jpg`
    // A list, because a picture that is shown for long stands in several places.
    const list = `${file}.list`
    const lines = on.map((tile) => `file '${tile}'\nduration 1`)
    await writeFile(path.join(tools.folder, list), `ffconcat version 1.0\n${lines.join('\n')}\n`)
    const rows = Math.ceil(on.length / across)
    await codePictures(tools, {
      inputs: [['concat', list]],
      graph: `[0:v]tile=${across}x${rows}:nb_frames=${on.length},${jpegFilters}`,
      writing: [...jpegCoding(Math.min(90, quality)), '-frames:v', '1', '-update', '1'],
      file,
    })
    const kind = partKind(name, part)
    sheets.push({ file, kind, extension: 'jpg' })
  }
  for (const tile of new Set(tiles)) await rm(path.join(tools.folder, tile), { force: true })
  return sheets
}

/** The places in the form that players read: addresses are relative to that of the file. */
function writePlaces(moments: readonly Span[], { width, height }: Size, grid: Tiling): string {
  const perSheet = grid.across * grid.down
  const toMs = (seconds: number): number => Math.round(seconds * 1000)
  const cues = moments.map(({ from, to }, i) => {
    const on = i % perSheet
    const [x, y] = [(on % grid.across) * width, Math.floor(on / grid.across) * height]
    const onSheet = fileInFolder(partKind('any', `sheet${Math.floor(i / perSheet) + 1}`), 'jpg')
    const lines = [`${onSheet}#xywh=${x},${y},${width},${height}`]
    return { startMs: toMs(from), endMs: toMs(to), lines }
  })
  return writeVtt(cues)
}
