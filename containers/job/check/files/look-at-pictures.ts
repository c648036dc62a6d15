import path from 'node:path'
import type { Check } from '../../../../worker/contract/job/check.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import type { ResultFile } from '../../render/finish-output.ts'
import { checkDecoded, failed, passed, say } from '../check-tables.ts'
import { lookAtAll, type Look } from '../look-at-film.ts'
import { gridFor, picturesOn, type Grid } from '../shown/picture-grid.ts'
import { checkEndless, checkPace, type MovingTables } from './moving-tables.ts'
import { readGif } from './read-gif.ts'
import { hasHoles, readWebp, type Webp } from './read-webp.ts'
import { showWebp } from './show-webp.ts'
import { readFile } from 'node:fs/promises'

const demuxers: Readonly<Record<string, string>> = {
  ...{ jpg: 'jpeg_pipe', png: 'png_pipe', gif: 'gif' },
}
const mostStills = 4
const mostFrames = 100_000
/** Only the first pictures of a WebP are decoded, because that takes a program for each. */
const mostOfWebp = 16

/** The pictures of an output as they were planned. */
export type PlannedPictures = {
  /** One size for each file, or one for all. */
  readonly sizes: readonly Grid[]
  /** In how many cells each picture is read, if that is not usual for its size. */
  readonly grids?: readonly Grid[] | undefined
  /** The timing of pictures that move. */
  readonly moving?: { readonly seconds: number; readonly fps: number } | undefined
}

/** What the files say about themselves, and small copies of what they show. */
export type SeenPictures = {
  readonly checks: readonly Check[]
  /** The pictures of each file. */
  readonly pictures: readonly (readonly Buffer[])[]
  /** How long each picture of a moving file is shown. */
  readonly delays: readonly number[]
}

type ReadPictures = { readonly pictures: Buffer[][]; readonly complaint: string | undefined }

/** Reads the pictures of an output; only a few of them, if each is a file of its own. */
export async function lookAtPictures(
  tools: ToolContext,
  files: readonly ResultFile[],
  planned: PlannedPictures,
): Promise<SeenPictures> {
  const own = [...new Map(files.map((one) => [one.file, one])).values()]
  const [moving] = own.filter(({ extension }) => extension === 'gif' || extension === 'webp')
  if (moving) return lookAtMoving(tools, moving, planned)
  const stills = own.filter(({ extension }) => extension in demuxers).slice(0, mostStills)
  const heads = await Promise.all(
    stills.map(async ({ file }) => readStill(path.join(tools.folder, file))),
  )
  const grids = stills.map((_, i) => gridOf(planned, i))
  const { pictures, complaint } = await readInSmall(tools, stills, grids)
  const isWhole = heads.every((head) => head) && pictures.every((all) => all.length > 0)
  const decoding = isWhole
    ? checkDecoded(complaint)
    : failed('decoding', 'One of its pictures cannot be decoded.')
  return { checks: [checkSizes(heads, planned), decoding], pictures, delays: [] }
}

/** The size of a file, or the one of all. */
function ofFile<Size>(sizes: readonly Size[], place: number): Size | undefined {
  return sizes[place] ?? sizes[0]
}

function gridOf({ sizes, grids }: PlannedPictures, place: number): Grid {
  return ofFile(grids ?? [], place) ?? gridFor(ofFile(sizes, place) ?? { width: 1, height: 1 })
}

async function lookAtMoving(
  tools: ToolContext,
  file: ResultFile,
  planned: PlannedPictures,
): Promise<SeenPictures> {
  const grid = gridOf(planned, 0)
  const named = path.join(tools.folder, file.file)
  const webp = file.extension === 'webp' ? await readWebp(named) : undefined
  const tables = file.extension === 'webp' ? webp : await readGif(named)
  if (!tables) {
    const cutOff = failed('decoding', 'Its pictures are not stored in whole.')
    return { checks: [cutOff], pictures: [], delays: [] }
  }
  const { delays } = tables
  const told = checkMovingTables(tables, planned)
  const { pictures, complaint } = webp
    ? await readWebpInSmall(tools, file.file, { webp, grid })
    : await readInSmall(tools, [file], [grid])
  const due = webp ? 1 : delays.length
  const isWhole = (pictures[0]?.length ?? 0) >= due && !(webp && (await hasHoles(named, webp)))
  const decoding = isWhole
    ? checkDecoded(complaint)
    : failed('decoding', 'Some of its pictures cannot be decoded.')
  return { checks: [...told, decoding], pictures, delays }
}

function checkMovingTables(tables: MovingTables, planned: PlannedPictures): Check[] {
  const { moving } = planned
  const size = checkSizes([tables], planned)
  // Pictures that are all the same may be stored as one, without a length.
  if (!moving || tables.delays.length === 0) return [size]
  const seconds = tables.delays.reduce((sum, delay) => sum + delay, 0)
  const length = size.result === 'failed' ? size : checkSeconds(seconds, moving.seconds)
  return [length, checkPace(tables, moving.fps), checkEndless(tables)]
}

const none: Grid = { width: 1, height: 1 }

/** Reads all pictures of files whose pictures all have one size. */
async function readInSmall(
  tools: ToolContext,
  files: readonly Pick<ResultFile, 'file' | 'extension'>[],
  grids: readonly Grid[],
): Promise<ReadPictures> {
  const looks = files.map(({ file: name, extension }, i): Look => {
    const grid = ofFile(grids, i)
    const input = { name, demuxer: demuxers[extension] ?? extension }
    return { kind: 'pictures', input, index: 0, count: mostFrames, ...(grid && { grid }) }
  })
  if (looks.length === 0) return { pictures: [], complaint: undefined }
  const { seen, complaint } = await lookAtAll(tools, looks, 'look')
  return {
    pictures: seen.map((bytes, i) => picturesOn(ofFile(grids, i) ?? none, bytes)),
    complaint,
  }
}

async function readWebpInSmall(
  tools: ToolContext,
  file: string,
  { webp, grid }: { readonly webp: Webp; readonly grid: Grid },
): Promise<ReadPictures> {
  const shown = await showWebp(tools, file, webp, { count: mostOfWebp, grid })
  return { pictures: shown ? [shown] : [], complaint: undefined }
}

function checkSizes(is: readonly (Grid | undefined)[], { sizes }: PlannedPictures): Check {
  const name = 'length'
  const faults = is.flatMap((one, i) => {
    const due = ofFile(sizes, i)
    const isSame = !one || !due || (one.width === due.width && one.height === due.height)
    if (isSame) return []
    const said = [one, due].map(({ width, height }) => `${width} × ${height}`)
    return [failed(name, `A picture has ${said[0]} pixels; ${said[1]} were planned.`)]
  })
  return faults[0] ?? passed(name, 'Its pictures have the size that was planned.')
}

/** GIF counts in hundredths of a second, so its rate is not exactly that of the film. */
const mostOff = { seconds: 0.25, share: 0.1 } as const

function checkSeconds(seconds: number, due: number): Check {
  // A picture at a usual rate; what moves slower than that has a longer last picture.
  const isOff = Math.abs(seconds - due) > Math.max(mostOff.seconds, mostOff.share * due)
  const said = `It lasts ${say(seconds)} s`
  return isOff
    ? failed('length', `${said}; ${say(due)} s were planned.`)
    : passed('length', `${said}, as planned.`)
}

const png = { head: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), end: Buffer.from('IEND') } as const
const jpeg = { head: Buffer.from([0xff, 0xd8]), end: Buffer.from([0xff, 0xd9]) } as const
/** The markers of JPEG that describe the picture; the others in their range introduce tables. */
const describing = { from: 0xc0, to: 0xcf, tables: [0xc4, 0xc8, 0xcc] as readonly number[] }

/** The size of a PNG or a JPEG; undefined if the file does not end properly. */
async function readStill(file: string): Promise<Grid | undefined> {
  const bytes = await readFile(file)
  if (bytes.subarray(0, 8).equals(png.head)) {
    if (!bytes.subarray(-8, -4).equals(png.end)) return undefined
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  const isWhole = bytes.subarray(0, 2).equals(jpeg.head) && bytes.subarray(-2).equals(jpeg.end)
  return isWhole ? sizeInJpeg(bytes) : undefined
}

function sizeInJpeg(bytes: Buffer): Grid | undefined {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0
    const isSize = marker >= describing.from && marker <= describing.to
    if (isSize && !describing.tables.includes(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
