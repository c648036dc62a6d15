import { sliceUnits } from '../h264/avc-slice.ts'
import type { CutSource, Run } from '../cut-model.ts'
import { PacketUnits } from '../bits/packet-units.ts'
import { avcUnitType } from '../bits/nal-unit-type.ts'

/**
 * The packets of runs at which players may begin. Key pictures of H.264 in the middle of open groups are none of them,
 * whatever the source says: Chromium stops if it begins there, and the pictures after them drop references that it lacks.
 */
export async function trueKeys(
  folder: string,
  source: CutSource,
  runs: readonly Run[],
): Promise<Uint8Array> {
  const { packing, codec } = source
  if (codec !== 'h264') return packing.keys
  const keys = packing.keys.slice()
  const units = await PacketUnits.open(folder, source)
  try {
    for (const { from, to } of runs) {
      for (let i = from; i < to; i++) {
        if (keys[i] === 1 && !(await isInstant(units, i))) keys[i] = 0
      }
    }
  } finally {
    await units.close()
  }
  return keys
}

async function isInstant(units: PacketUnits, packet: number): Promise<boolean> {
  for await (const { first } of units.of(packet)) {
    const kind = avcUnitType(first)
    if (kind >= 1 && kind <= 5) return kind === sliceUnits.idr
  }
  return false
}
