import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { fileOf } from '../bits/packet-units.ts'
import { CutFault } from '../cut-fault.ts'
import type { CutCodec, Cutting, Seam } from '../cut-model.ts'
import { decodeTimes } from '../mp4/decode-times.ts'
import { describeFilm } from '../mp4/describe-film.ts'
import { filmHead } from '../mp4/film-head.ts'
import { collectSamples, type Samples } from '../mp4/film.ts'
import { cutFiles, packetFiles } from '../plan/cutting.ts'
import { timeInResult } from '../plan/kept-pictures.ts'
import { encodeSeams } from './encode-seams.ts'

/** The packets of a result, and the options for copying its pictures from the head that lists them. */
export type CutFilm = { readonly samples: Samples; readonly coding: readonly string[] }

/** Encodes the seams, and writes the head of the film that joins them with the packets of the source. */
export async function makeFilm(
  tools: ToolContext,
  cutting: Cutting,
  onShare: (share: number) => void = () => undefined,
): Promise<CutFilm> {
  const { source } = cutting
  const { model } = source
  const seams = cutting.windows.length > 0 ? await encodeSeams(tools, cutting, onShare) : undefined
  const description = seams ? describeFilm(source, seams.description) : model.description
  const samples = samplesOf(cutting, seams?.packing)
  const names = packetFiles(cutting)
  const fileBytes = await Promise.all(names.map(async (name) => bytesOfFile(tools, name)))
  const { timescale } = source
  const endTick = Math.round(cutting.endSeconds * timescale)
  const film = { model: model.movie, description, timescale, samples, endTick, fileBytes }
  await writeFile(path.join(tools.folder, cutFiles.head), filmHead(film))
  const coding = lastingTo(source.codec, endTick, samples)
  return { samples, coding }
}

/** Options of a copy that say how long its last packets last. */
export function lastingTo(codec: CutCodec, endTick: number, samples: Samples): string[] {
  return codec === 'vp9' ? lastingInOrder(endTick, samples) : lastingUntil(endTick, samples)
}

/**
 * If pictures are reordered, ffmpeg does not read how long packets last, and assumes the same for all. So it has to be told for
 * the packet that is stored last, and for the one that is shown last.
 */
function lastingUntil(endTick: number, { shown }: Samples): string[] {
  const { lastStep } = decodeTimes(shown, endTick)
  const latest = shown.reduce((best, at, i) => (at > (shown[best] ?? 0) ? i : best), 0)
  const stored = shown.length - 1
  const rest = latest === stored ? lastStep : endTick - (shown[latest] ?? 0)
  const others = `if(eq(N\\,${latest})\\,${rest}\\,DURATION)`
  const duration = `if(eq(N\\,${stored})\\,${lastStep}\\,${others})`
  return ['-bsf:v', `setts=pts=PTS:dts=DTS:duration=${duration}`]
}

/**
 * The duration, if the picture that is stored last is also shown last. WebM has other ticks than the head, and which of them
 * the filter sees depends on ffmpeg, so this is derived from the time of the packet.
 */
function lastingInOrder(endTick: number, { shown }: Samples): string[] {
  const stored = shown.length - 1
  const at = shown[stored] ?? 0
  if (at === 0) return []
  const duration = `if(eq(N\\,${stored})\\,round(PTS*${endTick - at}/${at})\\,DURATION)`
  return ['-bsf:v', `setts=pts=PTS:dts=DTS:duration=${duration}`]
}

/** The packets of the result in decoding order. */
function samplesOf(cutting: Cutting, seams: Packets | undefined): Samples {
  const { source, groups, keys } = cutting
  const { packing, shown, files } = source
  const made = seams?.sizes.length ?? 0
  const film = collectSamples(packing.sizes.length + made, { hasSums: packing.sums !== undefined })
  const tickOf = tickIn(cutting)
  const { within, placeOf } = seamOrder(seams?.shownAt)
  const addSeam = (packet: number, at: number): void => {
    if (seams) film.add({ ...packetOf(seams, packet, files.length), at })
  }
  let used = 0
  for (const { seams: wanted, run } of groups) {
    const ticks = wanted.flatMap((seam) => ticksOf(seam, tickOf))
    const leading = run?.leading ?? 0
    // The last ones are stored behind the first packet of the run. The others are encoded in one go, so their packets may be
    // interleaved.
    const end = used + ticks.length - leading
    for (const packet of within(used, end)) {
      addSeam(packet, ticks[placeOf(packet) - used] ?? 0)
    }
    used = end + leading
    if (!run) continue
    const file = fileOf(source, run.from)
    const firstLeading = run.places.from - leading
    for (let i = run.from; i < run.to; i++) {
      const place = shown.places[i] ?? -1
      const at = tickOf(run.part, place)
      const isEntry = packing.keys[i] === 1
      if (place >= run.places.from)
        film.add({ ...packetOf({ ...packing, keys }, i, file), at, isEntry })
      // Leading pictures are encoded in display order, each as a whole picture.
      else if (place >= firstLeading) addSeam(end + place - firstLeading, at)
    }
  }
  if (used !== made) throw new CutFault(`${made} pictures were encoded for ${used} at the seams`)
  return film.finish()
}

/** When the picture at a place of a part is shown in the result. */
function tickIn({ source: { packing, shown, timescale }, parts }: Cutting) {
  return (index: number, place: number): number => {
    const part = parts[index]
    if (!part) throw new Error('A piece of no part')
    return Math.round(timeInResult(packing, shown, part, place) * timescale)
  }
}

function ticksOf(
  { part, places: { from, to } }: Seam,
  tickOf: ReturnType<typeof tickIn>,
): number[] {
  return Array.from({ length: to - from }, (_, i) => tickOf(part, from + i))
}

function packetOf(packing: Packets, packet: number, file: number) {
  return {
    file,
    position: packing.positions[packet] ?? 0,
    sizeBytes: packing.sizes[packet] ?? 0,
    isKey: packing.keys[packet] === 1,
    sum: packing.sums?.[packet],
  }
}

/** Encoded pictures are shown in the order in which the seams need them, and stored in decoding order. */
function seamOrder(shownAt: Float64Array = new Float64Array()) {
  const ordered = Uint32Array.from(shownAt.keys()).sort(
    (a, b) => (shownAt[a] ?? 0) - (shownAt[b] ?? 0),
  )
  const places = new Uint32Array(ordered.length)
  ordered.forEach((packet, place) => (places[packet] = place))
  return {
    placeOf: (packet: number): number => places[packet] ?? 0,
    within: (from: number, to: number): Uint32Array => ordered.slice(from, to).sort(),
  }
}

export async function bytesOfFile({ folder }: ToolContext, name: string): Promise<number> {
  return (await stat(path.join(folder, name))).size
}
