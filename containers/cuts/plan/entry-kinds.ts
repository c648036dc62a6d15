import { avcEntryOf } from '../h264/avc-entries.ts'
import type { CutSource, Entry } from '../cut-model.ts'
import { HiddenFrames } from '../vp9/hidden-frames.ts'
import { PacketUnits } from '../bits/packet-units.ts'
import { vp9EntryOf } from '../vp9/vp9-frames.ts'
import { hevcUnitType } from '../bits/nal-unit-type.ts'

/** Finds out how a decoder may begin with the packets of a file. */
export type Entries = {
  readonly entryOf: (packet: number) => Promise<Entry>
  /** Follows the packets of a run from a key frame on; undefined if the codec has no hidden frames. */
  readonly followHidden: (() => Pick<HiddenFrames, 'follow'>) | undefined
  readonly units: PacketUnits
}

type Coded = Pick<CutSource, 'files' | 'codec' | 'packing' | 'shown' | 'sets'>

/** Opens the files for as long as somebody asks about their packets. Each of them is looked at once. */
export async function withEntries<Found>(
  folder: string,
  coded: Coded,
  ask: (entries: Entries) => Promise<Found>,
): Promise<Found> {
  const units = await PacketUnits.open(folder, coded)
  const known = new Map<number, Entry>()
  try {
    return await ask({
      units,
      followHidden: coded.codec === 'vp9' ? () => new HiddenFrames(units) : undefined,
      async entryOf(packet) {
        const entry = known.get(packet) ?? (await lookAt(units, coded, packet))
        known.set(packet, entry)
        return entry
      },
    })
  } finally {
    await units.close()
  }
}

/** NAL unit types of H.265: Table 7-1. */
const hevcTypes = { blaWithLeading: 16, idrWithoutLeading: 20, cra: 21, vps: 32 } as const

async function lookAt(units: PacketUnits, coded: Coded, packet: number): Promise<Entry> {
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

/** A seam comes before an open group, if only a single picture long: its other sets make a decoder begin again. */
const hevcOpening: Entry = { before: 1, leads: [], numbers: undefined }
