import { avcUnitType, hevcUnitType } from '../bits/nal-units.ts'
import type { PacketUnits } from '../bits/packet-units.ts'
import type { CutSource, Run } from '../cut-model.ts'
import { avcEntryOf, type Entry } from '../h264/avc-entries.ts'
import { sliceUnits } from '../h264/avc-slice.ts'
import { HiddenFrames } from '../vp9/hidden-frames.ts'
import { vp9EntryOf } from '../vp9/vp9-frames.ts'

/** Finds out how a decoder may begin with the packets of a file. */
export type Entries = {
  readonly entryOf: (packet: number) => Promise<Entry>
  /** Follows the packets of a run from a key frame on; undefined if the codec has no hidden frames. */
  readonly followHidden: (() => Pick<HiddenFrames, 'follow'>) | undefined
}

type EntrySource = Pick<CutSource, 'files' | 'codec' | 'packing' | 'shown' | 'parameterSets'>

/** Examines each packet only once. */
export function entriesOf(units: PacketUnits, coded: EntrySource): Entries {
  const known = new Map<number, Entry>()
  return {
    followHidden: coded.codec === 'vp9' ? () => new HiddenFrames(units) : undefined,
    async entryOf(packet) {
      const entry = known.get(packet) ?? (await lookAt(units, coded, packet))
      known.set(packet, entry)
      return entry
    },
  }
}

/** NAL unit types of H.265: Table 7-1. */
const hevcTypes = { blaWithLeading: 16, idrWithoutLeading: 20, cra: 21, vps: 32 } as const

async function lookAt(units: PacketUnits, coded: EntrySource, packet: number): Promise<Entry> {
  if (coded.codec === 'vp9') return vp9EntryOf(units, packet)
  if (coded.codec === 'h264') return avcEntryOf({ ...coded, units }, packet)
  for await (const { first } of units.of(packet)) {
    const type = hevcUnitType(first)
    if (type >= hevcTypes.vps) continue
    if (type >= hevcTypes.blaWithLeading && type <= hevcTypes.idrWithoutLeading) return 'closed'
    return type === hevcTypes.cra ? hevcOpening : 'never'
  }
  return 'never'
}

/** A CRA picture always has a seam of at least one picture before it, whose different parameter sets make a decoder start over. */
const hevcOpening: Entry = { before: 1, numbers: undefined }

/**
 * The packets of runs at which players may begin. Key pictures of H.264 inside of open groups do not count, whatever the source
 * claims: Chromium stops if it begins there, and the pictures after them drop references that it lacks.
 */
export async function playerKeys(
  units: PacketUnits,
  { packing, codec }: Pick<CutSource, 'packing' | 'codec'>,
  runs: readonly Run[],
): Promise<Uint8Array> {
  if (codec !== 'h264') return packing.keys
  const keys = packing.keys.slice()
  for (const { from, to } of runs) {
    for (let i = from; i < to; i++) if (keys[i] === 1) keys[i] = (await isIdr(units, i)) ? 1 : 0
  }
  return keys
}

async function isIdr(units: PacketUnits, packet: number): Promise<boolean> {
  for await (const { first } of units.of(packet)) {
    const type = avcUnitType(first)
    if (type >= sliceUnits.nonIdr && type <= sliceUnits.idr) return type === sliceUnits.idr
  }
  return false
}
