import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { atMost } from '../../errors/at-most.ts'
import { fileOf } from '../bits/packet-units.ts'
import type { CutResult } from '../cut-model.ts'
import { readPackets } from '../mp4/read-packets.ts'
import type { ClipRow } from '../plan/choose-row.ts'
import { mostRoundingSeconds } from '../../timeline/frame-rate.ts'
import { compareBytes, faultOfPackets, shiftOf } from './compare-packets.ts'
import { faultOfJoint } from './compare-pictures.ts'

/** The times of the sources and those of the result are rounded. */
const roundingSeconds = 2 * mostRoundingSeconds

/**
 * Finds the fault of pictures that were joined as stored. Undefined if the result has every packet of the clips at its time,
 * byte for byte, and decodes alike on both sides of every joint.
 */
export async function faultOfRow(
  tools: ToolContext,
  { name, facts }: CutResult,
  row: ClipRow,
): Promise<string | undefined> {
  const { packing } = row
  const { shownAt } = packing
  const written = await readPackets(tools, name, facts, packing.sizes.length + 1)
  const files = Uint8Array.from(packing.sizes, (_, packet) => fileOf(row, packet))
  const expected = { ...packing, files, roundingSeconds, names: row.files.map(({ path }) => path) }
  const fault =
    faultOfPackets(written, expected) ??
    (await compareBytes(tools, expected, { path: name, packing: written }))
  if (fault !== undefined) return fault
  const result = { name, facts, shift: shiftOf(written, expected) }
  const joints = row.files.slice(1).flatMap((after, i) => {
    const before = row.files[i]
    return before ? [{ before, after }] : []
  })
  const faults = await atMost(jointsAtOnce, joints, tools.signal, async (joint, signal) =>
    faultOfJoint({ ...tools, signal }, { ...joint, shownAt, roundingSeconds }, result),
  )
  return faults.find((one) => one !== undefined)
}

const jointsAtOnce = 2
