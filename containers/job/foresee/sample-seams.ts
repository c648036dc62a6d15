import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Likely } from '../../../worker/contract/job/foresight.ts'
import type { Cutting, SeamGroup, DecodingWindow } from '../../cuts/cut-model.ts'
import { encodeSeams } from '../../cuts/make/encode-seams.ts'
import { cutFiles, seamsOf } from '../../cuts/plan/cutting.ts'
import { readsOf, wantedAt } from '../../cuts/plan/made-pictures.ts'
import { countEncoded } from '../../cuts/plan/number-seams.ts'
import { countPackets } from '../../cuts/plan/windows.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { JobContext } from '../job-context.ts'
import { added, around } from './ranges.ts'
import { tryForPlan } from '../try-for-plan.ts'

/** How many seams are encoded to see how large the others become, and how many pixels may be encoded. */
const mostSampled = 3
const mostPixels = 150e6
/** The cost of decoding a picture, as a share of that of encoding it. */
const decodedCost = 0.15
/** If all seams were encoded, they are as large as they will be; a few of them miss the others by about this much. */
const allSpread = 0.02
const fewSpread = 0.25
/** How many times the bytes of a source's picture a picture of a seam takes, if none may be encoded for a plan. */
const unsampled = { ratio: 2.5, spread: 0.5 }

/** The bytes of the pictures of a film that is cut without encoding: those of copied pictures are known. */
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
  const bytes =
    pictures === 0
      ? undefined
      : await tryForPlan(context, 'The picture at the cuts', async ({ tools }) =>
          encodedBytes(tools, only(cutting, sampled)),
        )
  if (bytes === undefined) return unsampledBytes(cutting, encoded)
  const spread = pictures === encoded ? allSpread : fewSpread / Math.sqrt(sampled.length)
  return around((bytes / pictures) * encoded, spread)
}

async function encodedBytes(tools: ToolContext, cutting: Cutting): Promise<number> {
  const { packing } = await encodeSeams(tools, cutting, () => undefined)
  await Promise.all(
    Object.values(cutFiles).map(async (name) => rm(path.join(tools.folder, name), { force: true })),
  )
  return packing.sizes.reduce((sum, size) => sum + size, 0)
}

/** All groups with seams, or some from all over the film, as far as they can be decoded and encoded quickly. */
function sampledGroups(cutting: Cutting): SeamGroup[] {
  const all = cutting.groups.filter(({ seams }) => seams.length > 0)
  if (isQuick(cutting, all)) return all
  const step = Math.max(1, all.length / mostSampled)
  const spread = Array.from({ length: Math.min(mostSampled, all.length) }, (_, i) =>
    all.slice(Math.floor((i + 0.5) * step), Math.floor((i + 0.5) * step) + 1),
  ).flat()
  const taken: SeamGroup[] = []
  for (const group of spread) {
    if (isQuick(cutting, [...taken, group])) taken.push(group)
  }
  return taken
}

/** Whether seams are encoded quickly: few pictures may need many before them decoded. */
function isQuick(cutting: Cutting, groups: readonly SeamGroup[]): boolean {
  const { width, height } = cutting.source.facts.video
  const decoded = countPackets(only(cutting, groups).windows)
  return (countEncoded(groups) + decoded * decodedCost) * width * height <= mostPixels
}

/** The same film with only these seams. */
function only(cutting: Cutting, groups: readonly SeamGroup[]): Cutting {
  const { source, parts, windows } = cutting
  const pieces = groups.flatMap(({ seams, run }) => [...seams, ...(run ? [run] : [])])
  const wanted = seamsOf(pieces).map((seam) => wantedAt(parts, seam))
  const reads = readsOf(source, wanted)
  const isRead = ({ places }: DecodingWindow) =>
    reads.some(({ from, to }) => from === places.from && to === places.to)
  return { ...cutting, pieces, groups, windows: windows.filter(isRead) }
}

function unsampledBytes({ source: { packing } }: Cutting, encoded: number): Likely {
  const bytes = packing.sizes.reduce((sum, size) => sum + size, 0)
  const ofPicture = bytes / Math.max(1, packing.sizes.length)
  return around(ofPicture * encoded * unsampled.ratio, unsampled.spread)
}
