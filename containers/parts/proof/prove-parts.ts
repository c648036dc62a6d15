import path from 'node:path'
import type { CutResult } from '../../cuts/cut-model.ts'
import { compareBytes, earliest, faultOfPackets } from '../../cuts/proof/compare-packets.ts'
import { faultOfLengths } from '../../cuts/proof/prove-film.ts'
import { measurePacking } from '../../ffmpeg/measure-packing.ts'
import { decodeFrom } from '../../cuts/proof/compare-pictures.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { mostRoundingSeconds } from '../../timeline/frame-rate.ts'
import type { FilmPictures } from '../plan/film-pictures.ts'
import { hashFile } from '../make/render-part.ts'
import type { JoinedParts, MadePart } from '../make/join-parts.ts'

/**
 * Finds faults of parts before they are joined: each file has to be the one that its maker sent, and neighbours have to have
 * made the same pictures on both sides of the seam between them.
 */
export async function faultOfParts(
  { folder, signal }: ToolContext,
  parts: readonly MadePart[],
): Promise<string | undefined> {
  for (const [i, part] of parts.entries()) {
    if ((await hashFile(path.join(folder, part.file), signal)) !== part.sha256)
      return `part ${part.n} arrived with other bytes`
    const next = parts[i + 1]
    const [before, after] = [part.edges.slice(-2), next?.edges.slice(0, 2)]
    if (part.edges.length !== 2 * part.spec.edges.length) return `part ${part.n} has no ends`
    if (after && before.join() !== after.join())
      return `parts ${part.n} and ${next?.n} differ in the pictures at their seam`
  }
  return undefined
}

type JoinedFilm = JoinedParts & {
  readonly parts: readonly MadePart[]
  readonly pictures: FilmPictures
  readonly soundSeconds: number | undefined
}

/** Times in WebM are whole milliseconds; AVI has only those of its rate. */
const roundingSeconds = { webm: mostRoundingSeconds, mp4: 0.0001, mov: 0.0001, avi: 0.001 } as const

/**
 * Finds the fault of a film that was joined from parts. Undefined if it has every packet of the parts at its time, decodes
 * around every seam, and its pictures and sound end when they should.
 */
export async function faultOfJoined(
  tools: ToolContext,
  result: CutResult,
  { samples, parts, pictures, begins, soundSeconds }: JoinedFilm,
): Promise<string | undefined> {
  const { name, facts } = result
  const { timescale, endTick } = pictures
  const { format } = facts
  const packing = await measurePacking(tools, name, facts, samples.sizes.length + 1)
  const shownAt = samples.shown.map((tick) => tick / timescale)
  const isAvi = format === 'avi'
  // AVI stores no display times; pictures are shown in decoding order.
  const found = isAvi ? { ...packing, shownAt: packing.decodedAt } : packing
  // In AVI, parameter sets are stored before each key picture.
  const sizes = isAvi ? found.sizes : samples.sizes
  const expected = { ...samples, sizes, shownAt, roundingSeconds: roundingSeconds[format] }
  const names = parts.map(({ file }) => file)
  const isByteForByte = format === 'mp4' || format === 'mov'
  const firstAt = earliest(shownAt)
  const picture = isAvi ? undefined : endTick / timescale
  return (
    faultOfPackets(found, expected) ??
    (isByteForByte
      ? await compareBytes(tools, { names, ...expected }, { path: name, packing: found })
      : undefined) ??
    (await faultOfLengths(tools, result, { picture, sound: soundSeconds, firstAt })) ??
    (await faultOfSeams(tools, result, seamsOf(shownAt, begins, samples.keys)))
  )
}

type SeamTimes = { readonly from: number; readonly pictures: number }

/** How many pictures behind a seam are decoded. */
const lookedAt = 5

/** For each seam, the group that ends there. */
function seamsOf(shownAt: Float64Array, begins: readonly number[], keys: Uint8Array): SeamTimes[] {
  return begins.slice(1).map((begin) => {
    const key = keys.lastIndexOf(1, begin - 1)
    return { from: shownAt[key] ?? 0, pictures: begin - key + lookedAt }
  })
}

async function faultOfSeams(
  tools: ToolContext,
  { name, facts }: CutResult,
  seams: readonly SeamTimes[],
): Promise<string | undefined> {
  for (const { from, pictures } of seams) {
    const decoded = await decodeFrom(tools, facts, { path: name, from, count: pictures })
    const isClean = decoded.exitCode === 0 && decoded.complaint === ''
    if (!isClean || decoded.pictures.length < Math.min(pictures, lookedAt))
      return `the decoder complains about the seam behind ${from.toFixed(3)} s`
  }
  return undefined
}
