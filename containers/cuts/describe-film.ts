import { mergeAvcConfigs, parseAvcConfig, type AvcConfig } from './avc-config.ts'
import { box, boxesIn } from './boxes.ts'
import { CutFault } from './cut-fault.ts'
import type { CutCodec } from './entry-kinds.ts'
import { numberIn } from './golomb.ts'

/** The content of an `stsd` box with one entry: how the packets of a track are coded. */
export type Description = Buffer

/** The version and flags of the box, and the number of its entries. */
const listHeadBytes = 8
/** What every entry for a picture has before its boxes: size, resolution, name of the encoder. */
const entryHeadBytes = 78

/** The description of the source, with the parameter sets of the seams beside its own. */
export function describeFilm(
  codec: CutCodec,
  source: Description,
  seams: Description,
): Description {
  if (codec !== 'h264') throw new CutFault(`seams of ${codec} are not coded`)
  const { listHead, type, entryHead, boxes } = entryOf(source)
  const merged = mergeAvcConfigs(avcOf(source), avcOf(seams))
  const described = boxes.map((one) => box(one.type, one.type === 'avcC' ? merged : one.body))
  return Buffer.concat([listHead, box(type, entryHead, ...described)])
}

/** A number for the parameter sets of the seams that no set of the source has. */
export function seamSetId(codec: CutCodec, source: Description): number {
  if (codec !== 'h264') return 0
  const { sequenceSets, pictureSets } = avcOf(source)
  const used = new Set([
    // Behind the kind of the unit come profile, constraints and level.
    ...sequenceSets.map((set) => numberIn(set.subarray(4))),
    ...pictureSets.map((set) => numberIn(set.subarray(1))),
  ])
  const free = Array.from({ length: 31 }, (_, i) => i + 1).find((id) => !used.has(id))
  if (free === undefined) throw new CutFault('its parameter sets use every number')
  return free
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

function avcOf(description: Description): AvcConfig {
  const { type, boxes } = entryOf(description)
  const record = boxes.find((one) => one.type === 'avcC')?.body
  const config = type === 'avc1' && record ? parseAvcConfig(record) : undefined
  if (!config) throw new CutFault('its parameter sets are not in its header')
  if ((config.head.readUInt8(4) & 3) !== 3) throw new CutFault('its lengths are not of four bytes')
  return config
}
