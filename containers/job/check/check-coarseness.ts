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
import { trackOf, settingOf } from '../../graph/output-track.ts'

/** How many key pictures have their heads read, and how many other pictures. */
const mostRead = 16
/**
 * How far the quantizers in the heads of pictures may exceed the one asked for. Still parts are stored finer than the
 * heads say, which accounts for up to ten; every six double the steps between values.
 */
const mostCoarser = 12
/** A picture full of noise takes many bits however coarse it is: each doubling of bits permits a coarser quantizer. */
const noisy = { least: 8, farther: 2 } as const
/** The first pictures of a film are finer, because others are predicted from them; a shorter film shows only that. */
const leastPictures = 8
/** Above this quantizer, pictures with hard edges exceed the one asked for further, up to the last quantizer. */
const mostAsked = 30
/** More than the bytes before the slices of a picture and the head of its first slice. */
const headBytes = 1_536

/** Whether an H.264 film is stored far more coarsely than was asked: small copies of a calm film hardly show it. */
export async function checkCoarseness({
  planned,
  film: { name, plan },
  tables: { description, picture },
}: Looked): Promise<Check | undefined> {
  const { maxBitrate, maxBytes } = planned.context.job.options
  const asked = Number(settingOf(trackOf(plan.tracks, 'video')?.coding ?? [], '-crf'))
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

/** How far the quantizer may exceed the one asked for, in pictures with this many bits a pixel. */
function mostCoarserOf(bits: number, quantizer: number): number {
  const detail = bits * 2 ** (quantizer / 6)
  return mostCoarser + Math.max(0, noisy.farther * Math.log2(detail / noisy.least))
}

/** The mean quantizer of what is stored. Pictures that repeat others take few bytes, whatever their quantizer. */
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
