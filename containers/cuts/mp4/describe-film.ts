import { ueIn } from '../bits/bit-reader.ts'
import { unless } from '../../errors/unless.ts'
import { CutFault } from '../cut-fault.ts'
import type { CutCodec, CutSource, Description } from '../cut-model.ts'
import { mergeAvcConfigs, parseAvcConfig, type AvcConfig } from '../h264/avc-config.ts'
import { readAvcParameterSets, type AvcParameterSets } from '../h264/avc-parameter-sets.ts'
import { withSpsId } from '../h264/renumber-avc.ts'
import { mergeHevcConfigs, parseHevcConfig, unitsOf, type HevcConfig } from '../hevc/hevc-config.ts'
import { hevcSeamSetId, parameterSetId, renumberHevc } from '../hevc/renumber-hevc.ts'
import { box, boxesIn, type Mp4Box } from './boxes.ts'

/** The version and flags of the box, and the number of its entries. */
const listHeadBytes = 8
/** The fields of every entry for pictures before its boxes: size, resolution, name of the encoder. */
const entryHeadBytes = 78

/** The description of the source, with the parameter sets of the seams besides its own. */
export function describeFilm(
  { codec, model, parameterSets }: Pick<CutSource, 'codec' | 'model' | 'parameterSets'>,
  seams: Description,
): Description {
  const source = model.description
  if (codec === 'vp9') return source
  const { listHead, type, entryHead, boxes } = entryOf(source)
  const [name, merged] =
    codec === 'h264'
      ? ['avcC', mergeAvcConfigs(avcOf(source), movedTo(parameterSets, avcOf(seams)))]
      : ['hvcC', mergeHevcConfigs(hevcOf(source), renumbered(hevcOf(seams)))]
  const described = boxes.map((one) => box(one.type, one.type === name ? merged : one.body))
  return Buffer.concat([listHead, box(type, entryHead, ...described)])
}

/** Slices that are written for the SPS of the source bring only their PPS. */
function movedTo(sets: AvcParameterSets | undefined, seams: AvcConfig): AvcConfig {
  if (!sets) return seams
  return { ...seams, sps: [], pps: seams.pps.map((set) => withSpsId(set, sets.sps)) }
}

/** The parameter sets of H.264, if slices can be written for them. */
export function avcParameterSetsOf(description: Description): AvcParameterSets | undefined {
  return readAvcParameterSets(avcOf(description))
}

function renumbered({ head, lists }: HevcConfig): HevcConfig {
  return {
    head,
    lists: lists.map(({ header, units }) => ({ header, units: units.map(renumberHevc) })),
  }
}

/** All parameter sets of a description. */
export function parameterSetsIn(
  codec: Exclude<CutCodec, 'vp9'>,
  description: Description,
): readonly Buffer[] {
  if (codec === 'hevc') return unitsOf(hevcOf(description))
  const { sps, pps } = avcOf(description)
  return [...sps, ...pps]
}

/** A number for the parameter sets of H.264 seams that no set of the source has. */
export function freeAvcSetId(source: Description): number {
  const { sps, pps } = avcOf(source)
  const used = new Set([
    // Behind the header of the unit come profile_idc, constraint flags and level_idc.
    ...sps.map((set) => ueIn(set.subarray(4))),
    ...pps.map((set) => ueIn(set.subarray(1))),
  ])
  const free = Array.from({ length: 31 }, (_, i) => i + 1).find((id) => !used.has(id))
  if (free === undefined) throw new CutFault('its parameter sets use every number')
  return free
}

/** Refuses HEVC sources with a parameter set that has the number of those of the seams. */
export function holdHevcSetId(source: Description): void {
  const isUsed = unitsOf(hevcOf(source)).some((unit) => parameterSetId(unit) === hevcSeamSetId)
  if (isUsed) throw new CutFault(`one of its parameter sets has the number ${hevcSeamSetId}`)
}

function entryOf(description: Description) {
  const [entry] = boxesIn(description.subarray(listHeadBytes))
  if (!entry) throw new CutFault('its stream has no description')
  return {
    listHead: description.subarray(0, listHeadBytes),
    type: entry.type,
    entryHead: entry.body.subarray(0, entryHeadBytes),
    boxes: boxesIn(entry.body.subarray(entryHeadBytes)),
  }
}

/** What a decoder has to know before the first picture, under the names of the codecs that have such a record. */
const decoderRecords = ['avcC', 'hvcC', 'av1C', 'vpcC']

/** The record for the decoder in a description; undefined if it has none. */
export function decoderRecordOf(description: Description): Buffer | undefined {
  const boxes = unless(CutFault, () => entryOf(description).boxes)
  return boxes?.find(({ type }) => decoderRecords.includes(type))?.body
}

/** With `avc3`, packets may contain further parameter sets; those of the header count all the same. */
const avcTypes = ['avc1', 'avc3']

function avcOf(description: Description): AvcConfig {
  const { type, boxes } = entryOf(description)
  const record = recordIn(boxes, 'avcC')
  const config = avcTypes.includes(type) && record ? parseAvcConfig(record) : undefined
  if (!config) throw new CutFault('its parameter sets are not in its header')
  holdLengths(config.head.readUInt8(4))
  return config
}

function hevcOf(description: Description): HevcConfig {
  const record = recordIn(entryOf(description).boxes, 'hvcC')
  const config = record && parseHevcConfig(record)
  if (!config) throw new CutFault('its parameter sets are not in its header')
  holdLengths(config.head.readUInt8(21))
  return config
}

function recordIn(boxes: readonly Mp4Box[], type: string): Buffer | undefined {
  return boxes.find((one) => one.type === type)?.body
}

function holdLengths(byte: number): void {
  if ((byte & 3) !== 3) throw new CutFault('its lengths are not of four bytes')
}
