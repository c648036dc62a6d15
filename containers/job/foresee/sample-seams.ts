import type { Likely } from '../../../worker/contract/job/foresight.ts'
import type { Cutting, SeamGroup, Window } from '../../cuts/cut-model.ts'
import { encodeSeams } from '../../cuts/make/encode-seams.ts'
import { seamsOf } from '../../cuts/plan/cutting.ts'
import { readsOf, wantedAt } from '../../cuts/plan/made-pictures.ts'
import { countEncoded } from '../../cuts/plan/number-seams.ts'
import { stackOf } from '../../errors/log.ts'
import type { JobContext } from '../job-context.ts'
import { added, around } from './ranges.ts'

/** How many seams are encoded to see how large the others become, and how many pixels these may have. */
const mostSampled = 3
const mostPixels = 150e6
/** All seams were encoded as they will be; a few of them miss the others by about this much. */
const allSpread = 0.02
const fewSpread = 0.25
/** What a picture of a seam takes in place of one of its source, if none may be encoded for a plan. */
const unsampled = { ratio: 2.5, spread: 0.5 }

/** The bytes of the pictures of a film that is cut as it is stored: those of copies are known. */
export async function cutPictureBytes(context: JobContext, cutting: Cutting): Promise<Likely> {
  const copied = copiedBytes(cutting)
  const encoded = countEncoded(cutting.groups)
  if (encoded === 0) return around(copied, 0)
  return added(around(copied, 0), await seamBytes(context, cutting, encoded))
}

function copiedBytes({ source: { packing, shown }, pieces }: Cutting): number {
  let bytes = 0
  for (const piece of pieces) {
    if (piece.kind === 'seam') continue
    for (let i = piece.from; i < piece.to; i++) {
      const isKept = (shown.places[i] ?? -1) >= piece.places.from
      if (isKept) bytes += packing.sizes[i] ?? 0
    }
  }
  return bytes
}

async function seamBytes(context: JobContext, cutting: Cutting, encoded: number): Promise<Likely> {
  const sampled = sampledGroups(cutting)
  const pictures = countEncoded(sampled)
  if (pictures === 0) return unsampledBytes(cutting, encoded)
  try {
    const { packing } = await encodeSeams(context.tools, only(cutting, sampled), () => undefined)
    const bytes = packing.sizes.reduce((sum, size) => sum + size, 0)
    const spread = pictures === encoded ? allSpread : fewSpread / Math.sqrt(sampled.length)
    return around((bytes / pictures) * encoded, spread)
  } catch (error) {
    context.tools.signal.throwIfAborted()
    context.log('warn', 'The seams of a plan were not sampled', { fault: stackOf(error) })
    return unsampledBytes(cutting, encoded)
  }
}

/** All groups with seams, or some from all over the film, as far as they are quickly encoded. */
function sampledGroups({ groups, source: { facts } }: Cutting): SeamGroup[] {
  const { width, height } = facts.video
  const all = groups.filter(({ seams }) => seams.length > 0)
  const allowed = mostPixels / (width * height)
  if (countEncoded(all) <= allowed) return all
  const step = Math.max(1, all.length / mostSampled)
  const spread = Array.from({ length: Math.min(mostSampled, all.length) }, (_, i) =>
    all.slice(Math.floor((i + 0.5) * step), Math.floor((i + 0.5) * step) + 1),
  ).flat()
  const taken: SeamGroup[] = []
  for (const group of spread) {
    if (countEncoded([...taken, group]) <= allowed) taken.push(group)
  }
  return taken
}

/** The same film with no other seams. */
function only(cutting: Cutting, groups: readonly SeamGroup[]): Cutting {
  const { source, parts, windows } = cutting
  const pieces = groups.flatMap(({ seams, run }) => [...seams, ...(run ? [run] : [])])
  const wanted = seamsOf(pieces).map((seam) => wantedAt(parts, seam))
  const reads = readsOf(source, wanted)
  const isRead = ({ places }: Window) =>
    reads.some(({ from, to }) => from === places.from && to === places.to)
  return { ...cutting, pieces, groups, windows: windows.filter(isRead) }
}

function unsampledBytes({ source: { packing } }: Cutting, encoded: number): Likely {
  const bytes = packing.sizes.reduce((sum, size) => sum + size, 0)
  const ofPicture = bytes / Math.max(1, packing.sizes.length)
  return around(ofPicture * encoded * unsampled.ratio, unsampled.spread)
}
