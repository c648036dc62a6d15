import { chooseRow, storedClips } from '../../cuts/plan/choose-row.ts'
import { canCopyVideo } from '../../cuts/plan/copied-codecs.ts'
import { measureCutting, type CutChoice } from '../../cuts/plan/measure-cutting.ts'
import { stackOf } from '../../errors/log.ts'
import { keepsPictures } from '../../render/apply-options.ts'
import { whyRecoded } from '../../render/output/why-encoded.ts'
import type { CutFootage } from '../../render/render-sources.ts'
import { limitedYuv } from '../../render/color/limited-yuv.ts'
import { keptPieces } from '../../timeline/joints.ts'
import type { JobContext } from '../job-context.ts'

/**
 * Finds out how a video can be cut without encoding, or joined where its clips cannot simply be put in a row; undefined if
 * neither is needed, or if it is encoded in any case.
 */
export async function measureCuts(
  { job, log, tools, during, isPartial }: JobContext,
  footage: CutFootage,
): Promise<CutChoice | undefined> {
  const { compressionQuality, outputFormat, outputs } = job.options
  // Each output finds that out for itself.
  if (outputs) return undefined
  const { clips, timeline, removed, joints } = footage
  const mayCopy = clips.every(({ facts }) => canCopyVideo(facts, outputFormat))
  if (isPartial) return undefined
  if (compressionQuality < 100 || !mayCopy || whyRecoded(clips, job.options)) return undefined
  const isCut = removed.all.length + joints.length > 0
  if (!isCut && isRow(footage, job.options)) return undefined
  if (!keepsPictures(footage, job.options)) return undefined
  const { frameRate } = timeline
  const request = {
    clips: storedClips(clips, timeline),
    frameRate,
    kept: keptPieces(footage),
    joints,
    toYuv: limitedYuv,
    packings: footage.packings,
  }
  try {
    const choice = await during({ doing: 'planning the cuts' }, async () =>
      measureCutting(tools, request),
    )
    // The reasons against a join are told elsewhere.
    return isCut || 'cutting' in choice ? choice : undefined
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Cuts could not be measured', { fault: stackOf(error) })
    return { why: 'it could not be measured' }
  }
}

/** Whether all pictures can be copied as a plain row of clips. */
function isRow(footage: CutFootage, { outputFormat }: JobContext['job']['options']): boolean {
  return footage.clips.length === 1 || 'row' in chooseRow(footage, outputFormat)
}
