import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import { unlessCutOff } from '../../cuts/bits/bit-reader.ts'
import { withoutEscapes } from '../../cuts/bits/coded-bits.ts'
import { avcUnitType, lengthBytes } from '../../cuts/bits/nal-units.ts'
import type { AvcParameterSets } from '../../cuts/h264/avc-parameter-sets.ts'
import { readSliceHeader, sliceUnits } from '../../cuts/h264/avc-slice.ts'
import { avcParameterSetsOf } from '../../cuts/mp4/describe-film.ts'
import { type Looked, failedAt } from './check-tables.ts'

/** The heads of this many key pictures are read, and of as many others. */
const mostRead = 16
/**
 * The heads of pictures name quantizers of up to ten more than the quality that was asked for, where much stands still and is stored
 * finer than they say; each six double the steps between values.
 */
const mostCoarser = 12
/** A picture full of noise takes many bits however coarse it is; encoders go farther for each doubling of these. */
const noisy = { least: 8, farther: 2 } as const
/** The first pictures of a film are finer, because others are made of them; fewer tell only what an encoder does alone. */
const leastPictures = 8
/** Above this quantizer, pictures of hard edges leave what was asked farther behind, up to the last quantizer that there is. */
const mostAsked = 30
/** More than what comes before the slices of a picture, and their head. */
const headBytes = 1_536

/** Whether the pictures of an H.264 are stored far more coarsely than was asked: a calm film hardly shows it in small. */
export async function checkCoarseness({
  planned,
  film: { name, plan },
  tables: { description, picture },
}: Looked): Promise<Check | undefined> {
  const { maxBitrate, maxBytes } = planned.context.job.options
  const coding = plan.tracks.find(({ stream }) => stream.kind === 'video')?.coding ?? []
  const asked = Number(coding[coding.indexOf('-crf') + 1])
  const isKnown = plan.video === 'encode' && plan.codec === 'h264' && asked <= mostAsked
  const isShort = picture.sizes.length < leastPictures
  if (!isKnown || isShort || !description || (maxBitrate ?? maxBytes) !== undefined)
    return undefined
  const sets = avcParameterSetsOf(description)
  const places = someOf(picture)
  const file = path.join(planned.context.tools.folder, name)
  const usual = sets && (await quantizerOf(file, picture, places, sets))
  if (!usual) return undefined
  const bits = (usual.bytes * 8) / (plan.width * plan.height)
  if (usual.quantizer <= asked + mostCoarserOf(bits, usual.quantizer)) return undefined
  const at = picture.at[places[places.length >> 1] ?? 0] ?? 0
  return failedAt('pictures', 'Its pictures are stored far more coarsely than was asked.', at)
}

/** Some of the key pictures, and some of the others. */
function someOf({ keys, positions }: Looked['tables']['picture']): number[] {
  const all = Array.from(keys, (_, i) => i).filter((i) => (positions[i] ?? -1) >= 0)
  return [1, 0].flatMap((kind) => {
    const own = all.filter((i) => keys[i] === kind)
    const step = Math.max(1, own.length / mostRead)
    const count = Math.min(mostRead, own.length)
    return Array.from({ length: count }, (_, i) => own[Math.floor(i * step)] ?? 0)
  })
}

/** How far above the quality that was asked for pictures may be that take that many bits a pixel. */
function mostCoarserOf(bits: number, quantizer: number): number {
  const detail = bits * 2 ** (quantizer / 6)
  return mostCoarser + Math.max(0, noisy.farther * Math.log2(detail / noisy.least))
}

/** The mean of what is stored: pictures that repeat others take few bytes, whatever their quantizer. */
async function quantizerOf(
  file: string,
  { positions, sizes }: Looked['tables']['picture'],
  places: readonly number[],
  sets: AvcParameterSets,
): Promise<{ readonly quantizer: number; readonly bytes: number } | undefined> {
  await using handle = await open(file)
  let [quantizers, bytesOfBytes, weight] = [0, 0, 0]
  for (const place of places) {
    const size = sizes[place] ?? 0
    const bytes = Buffer.alloc(Math.min(headBytes, size))
    await handle.read(bytes, 0, bytes.length, positions[place] ?? 0)
    const quantizer = quantizerIn(bytes, sets)
    if (quantizer === undefined) continue
    quantizers += quantizer * size
    bytesOfBytes += size * size
    weight += size
  }
  if (weight === 0) return undefined
  return { quantizer: quantizers / weight, bytes: bytesOfBytes / weight }
}

/** The quantizer of the first slice of a packet. */
function quantizerIn(packet: Buffer, sets: AvcParameterSets): number | undefined {
  for (let at = 0; at + lengthBytes < packet.length;) {
    const unit = packet.subarray(at + lengthBytes)
    const kind = avcUnitType(unit[0] ?? 0)
    if (kind === sliceUnits.nonIdr || kind === sliceUnits.idr)
      return unlessCutOff(() => readSliceHeader(withoutEscapes(unit), sets))?.quantizer
    at += lengthBytes + packet.readUInt32BE(at)
  }
  return undefined
}
