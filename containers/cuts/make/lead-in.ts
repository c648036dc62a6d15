import { open } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { AvcSets } from '../h264/avc-sets.ts'
import { sliceUnits, type PictureNumbers } from '../h264/avc-slice.ts'
import { CutFault } from '../cut-fault.ts'
import type { OpenEntry, LeadIn, Written } from '../cut-model.ts'
import { countIdrPicIds, numbersBefore } from '../h264/number-seams.ts'
import type { PacketUnits } from '../bits/packet-units.ts'
import { renumberAvc } from '../h264/renumber-avc.ts'
import { packetOf } from '../bits/rewrite-seams.ts'
import type { Window } from './seam-windows.ts'
import { avcUnitType } from '../bits/nal-unit-type.ts'

const mostBytes = 256 * 1024 ** 2

/** Writes them for all windows that begin with such a group, into one file. */
export async function writeLeadIns(
  { folder, signal }: ToolContext,
  name: string,
  windows: readonly Window[],
  { units, sets }: { units: PacketUnits; sets: AvcSets },
): Promise<{ leadIns: (LeadIn | undefined)[]; bytes: number }> {
  const file = await open(path.join(folder, name), 'w')
  const nextInstant = countIdrPicIds()
  let bytes = 0
  const write = async (packet: Buffer): Promise<Written> => {
    signal.throwIfAborted()
    if (bytes + packet.length > mostBytes) throw new CutFault('its open groups are too large')
    await file.write(packet)
    bytes += packet.length
    return { position: bytes - packet.length, sizeBytes: packet.length }
  }
  try {
    const leadIns: (LeadIn | undefined)[] = []
    for (const { from, entry } of windows) {
      const slices = entry?.numbers ? await slicesOf(units, from) : []
      const rewrite = async (numbers: PictureNumbers): Promise<Written> =>
        write(packetOf(slices.map((slice) => renumberAvc(slice, sets, numbers, sets.sps))))
      leadIns.push(await leadInOf(entry, nextInstant, rewrite))
    }
    return { leadIns, bytes }
  } finally {
    await file.close()
  }
}

async function slicesOf(units: PacketUnits, packet: number): Promise<Buffer[]> {
  const slices: Buffer[] = []
  for await (const unit of units.of(packet)) {
    if (avcUnitType(unit.first) === sliceUnits.nonIdr) slices.push(await units.bytesOf(unit))
  }
  return slices
}

async function leadInOf(
  entry: OpenEntry | undefined,
  nextInstant: () => number,
  rewrite: (numbers: PictureNumbers) => Promise<Written>,
): Promise<LeadIn | undefined> {
  if (!entry?.numbers) return undefined
  const before: Written[] = []
  for (const one of numbersBefore(entry.numbers, nextInstant)) before.push(await rewrite(one))
  const instead = new Map<number, Written>()
  for (const [packet, lead] of entry.numbers.leads) {
    instead.set(packet, await rewrite({ ...lead, idrPicId: undefined }))
  }
  return { before, instead }
}
