import path from 'node:path'
import type { Check } from '../../../worker/contract/job/check.ts'
import type { Rendered } from '../render/run-plan.ts'
import {
  checkDecoded,
  failed,
  passed,
  pictureAt,
  say,
  type Looked,
  failedAt,
} from './check-tables.ts'
import { damagedPicture } from './damaged-packets.ts'
import { lookAtAll } from './look-at-film.ts'
import { gridFor, picturesOn } from './shown/picture-grid.ts'
import { lookFrom } from './shown/planned-pictures.ts'

export async function checkDecoding(
  looked: Looked,
  { complaint, isCounted }: { readonly complaint: string | undefined; readonly isCounted: boolean },
): Promise<Check> {
  const name = 'decoding'
  const { planned, film, tables } = looked
  const { folder, signal } = planned.context.tools
  const isCopy = film.plan.video === 'copy'
  if (!isCopy && complaint === undefined && !isCounted) {
    return failed(name, 'Some of its pictures cannot be decoded.')
  }
  const decodes = isCopy ? passed(name, copied) : checkDecoded(complaint)
  if (decodes.result !== 'passed') return decodes
  const file = path.join(folder, film.name)
  const damaged = await damagedPicture(file, tables.picture, {
    isInUnits: isInUnits(film),
    signal,
  })
  // Some cameras and senders fill pictures up with zeros, which decoders skip.
  if (damaged === undefined || (isCopy && (await decodesAt(looked, damaged)))) return decodes
  return failedAt(name, `The bytes of a picture are damaged at ${say(damaged)} s.`, damaged)
}

const copied = 'It is stored as in the source, which was read.'

/** Whether the pictures are stored in units behind lengths of four bytes; a copy may have shorter lengths. */
function isInUnits({ plan, facts: { format, video } }: Rendered): boolean {
  const isMp4 = format === 'mp4' || format === 'mov'
  return isMp4 && plan.video === 'encode' && (video.codec === 'h264' || video.codec === 'hevc')
}

/** Whether a decoder that begins at the key picture before a moment shows all pictures up to that moment, and does not complain. */
async function decodesAt(looked: Looked, seconds: number): Promise<boolean> {
  const { planned, film, tables } = looked
  const { at, keys } = tables.picture
  const place = pictureAt(at, seconds)
  const first = Math.max(0, keys.lastIndexOf(1, place))
  const count = place + 1 - first
  const look = lookFrom(looked, { first, count })
  const { seen, complaint } = await lookAtAll(planned.context.tools, [look], 'damaged')
  return complaint === undefined && picturesOn(gridFor(film.plan), seen[0]).length === count
}
