import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CutFault } from '../../cuts/cut-fault.ts'
import { lastingTo, bytesOfFile } from '../../cuts/make/make-film.ts'
import { filmHead } from '../../cuts/mp4/film-head.ts'
import { readModel } from '../../cuts/mp4/film-model.ts'
import { earliest } from '../../cuts/proof/compare-packets.ts'
import { collectSamples, type Samples } from '../../cuts/mp4/film.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { fileInPieces, streamOf } from '../../graph/filter-graph.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { PartResult, PartTask } from '../part-carrier.ts'
import type { FilmPictures } from '../plan/film-pictures.ts'
import type { OutputTrack } from '../../graph/output-track.ts'

/** A rendered part, and its task. */
export type MadePart = PartTask & PartResult

/** The packets of a film in parts, and the options for copying it from the head that lists them. */
export type JoinedParts = {
  readonly samples: Samples
  readonly track: OutputTrack
  /** The index of the first packet of each part. */
  readonly begins: readonly number[]
}

const headName = 'parts.head'

/** Writes the head of the film whose packets lie in the files of the parts, without those that only warmed the encoder up. */
export async function joinParts(
  tools: ToolContext,
  parts: readonly MadePart[],
  pictures: FilmPictures,
  format: RenderPlan['format'],
): Promise<JoinedParts> {
  const film = collectSamples(pictures.count)
  const begins: number[] = []
  let [first, packets] = [0, 0]
  for (const [file, part] of parts.entries()) {
    const video = { index: 0 }
    const packing = await readPackets(tools, part.file, { format: 'mp4', video })
    begins.push(packets)
    packets += addPart(film, packing, { part, file, first, pictures })
    first += part.spec.count
  }
  const samples = film.finish()
  const model = await modelOf(tools, parts)
  const { timescale, endTick } = pictures
  const fileBytes = await Promise.all(parts.map(async ({ file }) => bytesOfFile(tools, file)))
  const head = filmHead({
    model: model.movie,
    description: model.description,
    timescale,
    samples,
    endTick,
    fileBytes,
  })
  await writeFile(path.join(tools.folder, headName), head)
  const beginSeconds = earliest(samples.shown) / timescale
  const pieces = [headName, ...parts.map(({ file }) => file)] as const
  const stream = streamOf(fileInPieces([...pieces], beginSeconds), 'video', 0)
  const coding = ['-c:v', 'copy', ...filtersOf(format, endTick, samples)]
  return { samples, begins, track: { stream, coding } }
}

/** AVI has no times, but parameter sets before each key picture. */
function filtersOf(format: RenderPlan['format'], endTick: number, samples: Samples): string[] {
  if (format === 'avi') return ['-bsf:v', 'h264_mp4toannexb']
  return lastingTo(format === 'webm' ? 'vp9' : 'h264', endTick, samples)
}

/** Parts are coded alike, so one description is good for all of them. */
async function modelOf(tools: ToolContext, parts: readonly MadePart[]) {
  const [first, ...others] = await Promise.all(
    parts.map(async ({ file }) => readModel(tools, file)),
  )
  if (!first) throw new CutFault('it has no parts')
  const said = withoutRate(first.description)
  const isOther = others.some(({ description }) => !withoutRate(description).equals(said))
  if (isOther) throw new CutFault('two of its parts are coded otherwise')
  return first
}

const rateBytes = 12

/** The description without `btrt`, which gives the bit rate of this part alone. */
function withoutRate(description: Buffer): Buffer {
  const at = description.indexOf('btrt')
  if (at < 0) return description
  const start = at + 'btrt'.length
  return Buffer.from(description).fill(0, start, start + rateBytes)
}

type PartPlace = {
  readonly part: MadePart
  /** The index of its file. */
  readonly file: number
  /** Its first picture in the film. */
  readonly first: number
  readonly pictures: FilmPictures
}

function addPart(
  film: Pick<ReturnType<typeof collectSamples>, 'add'>,
  packing: Packets,
  { part, file, first, pictures }: PartPlace,
): number {
  const { before, count, after } = part.spec
  if (packing.sizes.length !== before + count + after)
    throw new CutFault(
      `part ${part.n} has ${packing.sizes.length} pictures, not ${before + count + after}`,
    )
  const ordered = packing.shownAt.slice().sort()
  const places = new Map(Array.from(ordered, (at, place) => [at, place]))
  if (places.size !== ordered.length)
    throw new CutFault(`part ${part.n} shows two pictures at once`)
  let kept = 0
  packing.shownAt.forEach((shown, packet) => {
    const place = (places.get(shown) ?? 0) - before
    if (place < 0 || place >= count) return
    const isKey = packing.keys[packet] === 1
    if (kept === 0 && !(isKey && place === 0))
      throw new CutFault(`part ${part.n} begins with no key picture`)
    kept += 1
    film.add({
      ...{ file, isKey, at: pictures.tickOf(first + place) },
      position: packing.positions[packet] ?? 0,
      sizeBytes: packing.sizes[packet] ?? 0,
    })
  })
  return kept
}
