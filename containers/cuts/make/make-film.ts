import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { cutFiles, packetFiles, seamsOf } from '../plan/cutting.ts'
import { fileOf, type Cutting, type Run } from '../cut-model.ts'
import { decodeTimes } from '../mp4/decode-times.ts'
import { describeFilm } from '../mp4/describe-film.ts'
import { encodeSeams } from './encode-seams.ts'
import { CutFault } from '../cut-fault.ts'
import { collectSamples, type Samples } from '../mp4/film.ts'
import { headOf } from '../mp4/film-head.ts'
import { timeInResult } from '../plan/kept-pictures.ts'
import { trueKeys } from '../plan/true-keys.ts'

/** The packets of a result, and how its picture is copied out of the head that lists them. */
export type CutFilm = { readonly samples: Samples; readonly coding: readonly string[] }

/** Encodes the seams, and writes the head of the film that joins them with the packets of the source. */
export async function makeFilm(context: ToolContext, cutting: Cutting): Promise<CutFilm> {
  const { source } = cutting
  const { model } = source
  const isWhole = seamsOf(cutting.pieces).length === 0
  const seams = isWhole ? undefined : await encodeSeams(context, cutting)
  const description = seams ? describeFilm(source, seams.description) : model.description
  const runs = cutting.pieces.filter((piece) => piece.kind === 'run')
  const keys = await trueKeys(context.folder, source, runs)
  const samples = samplesOf(cutting, seams?.packing, keys)
  const names = packetFiles(cutting)
  const fileBytes = await Promise.all(names.map(async (name) => sizeOf(context, name)))
  const { timescale } = source
  const endTick = Math.round(cutting.endSeconds * timescale)
  const film = { model: model.movie, description, timescale, samples, endTick, fileBytes }
  await writeFile(path.join(context.folder, cutFiles.head), headOf(film))
  const coding =
    source.codec === 'vp9' ? lastingInOrder(endTick, samples) : lastingUntil(endTick, samples)
  return { samples, coding }
}

/**
 * ffmpeg does not read how long packets last if pictures are reordered, and takes them all to last as long. So it has to
 * be told of the packet that is stored last, and of the one that is shown last.
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
 * The same where the picture that is stored last is also shown last. WebM counts in other ticks than the head, and whether
 * the filter sees those or these is up to ffmpeg: the time of the packet tells.
 */
function lastingInOrder(endTick: number, { shown }: Samples): string[] {
  const stored = shown.length - 1
  const at = shown[stored] ?? 0
  if (at === 0) return []
  const duration = `if(eq(N\\,${stored})\\,round(PTS*${endTick - at}/${at})\\,DURATION)`
  return ['-bsf:v', `setts=pts=PTS:dts=DTS:duration=${duration}`]
}

/** The packets of the result in decoding order. */
function samplesOf(cutting: Cutting, seams: Packing | undefined, keys: Uint8Array): Samples {
  const { source } = cutting
  const { packing, shown, files } = source
  const most = packing.sizes.length + (seams?.sizes.length ?? 0)
  const film = collectSamples(most, { hasSums: packing.sums !== undefined })
  const encoded = seams && seamOrder(seams)
  let used = 0
  for (const group of groupsOf(cutting)) {
    if (group.kind === 'seams') {
      const packets = encoded?.within(used, used + group.ticks.length) ?? []
      for (const packet of packets) {
        const at = group.ticks[(encoded?.placeOf(packet) ?? 0) - used] ?? 0
        if (seams) film.add({ ...packetOf(seams, packet, files.length), at })
      }
      used += group.ticks.length
    } else {
      const { run, tickOf } = group
      const file = fileOf(source, run.from)
      const firstLead = run.places.from - run.leads
      for (let i = run.from; i < run.to; i++) {
        const place = shown.places[i] ?? -1
        const at = tickOf(place)
        if (place >= run.places.from)
          film.add({
            ...packetOf({ ...packing, keys }, i, file),
            at,
            isEntry: packing.keys[i] === 1,
          })
        else if (place >= firstLead && seams) {
          // Leads are encoded in the order of showing, each as a whole picture.
          film.add({ ...packetOf(seams, used + place - firstLead, files.length), at })
        }
      }
      used += run.leads
    }
  }
  const made = seams?.sizes.length ?? 0
  if (used !== made) throw new CutFault(`${made} pictures were encoded for ${used} at the seams`)
  return film.finish()
}

type Group =
  | { kind: 'run'; run: Run; tickOf: (place: number) => number }
  /** When the pictures of successive seams are shown, in order. */
  | { kind: 'seams'; ticks: number[] }

/** Seams that follow each other are encoded in one go, so their packets may be interwoven. */
function groupsOf({ source, parts, pieces }: Cutting): Group[] {
  const { packing, shown, timescale } = source
  const groups: Group[] = []
  for (const piece of pieces) {
    const part = parts[piece.part]
    if (!part) throw new Error('A piece of no part')
    const tickOf = (place: number): number =>
      Math.round(timeInResult(packing, shown, part, place) * timescale)
    if (piece.kind === 'run') {
      groups.push({ kind: 'run', run: piece, tickOf })
      // The last ones before it are stored behind its first packet.
      const before = groups.at(-2)
      if (before?.kind === 'seams') before.ticks.splice(before.ticks.length - piece.leads)
      continue
    }
    const { from, to } = piece.places
    const ticks = Array.from({ length: to - from }, (_, i) => tickOf(from + i))
    const last = groups.at(-1)
    if (last?.kind === 'seams') last.ticks.push(...ticks)
    else groups.push({ kind: 'seams', ticks })
  }
  return groups
}

function packetOf(packing: Packing, packet: number, file: number) {
  return {
    file,
    position: packing.positions[packet] ?? 0,
    sizeBytes: packing.sizes[packet] ?? 0,
    isKey: packing.keys[packet] === 1,
    sum: packing.sums?.[packet],
  }
}

/** The encoded pictures are shown in the order in which the seams need them, and stored in that of decoding. */
function seamOrder({ shownAt }: Packing) {
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

async function sizeOf({ folder }: ToolContext, name: string): Promise<number> {
  return (await stat(path.join(folder, name))).size
}
