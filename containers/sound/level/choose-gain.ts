import type { Stream } from '../../graph/filter-graph.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { loudnessCeilingDb } from './limit-peaks.ts'
import type { SoundBlocks } from './block-meter.ts'
import { fitGain, targetLoudness } from './fit-gain.ts'
import { measureLimited } from './limited-loudness.ts'

/** Below this the limiter only reduces single peaks, so the prediction cannot be far off. */
const trustedLimitDb = 0.2
const toleranceDb = 0.3
const maxCorrections = 2

/**
 * Chooses the gain that brings a sound to the target loudness. If the limiter has much to do, measures what the real
 * limiter leaves, and corrects the gain.
 */
export async function chooseGain(
  context: ToolContext,
  blocks: SoundBlocks,
  sound: Stream<'audio'>,
): Promise<number> {
  const fit = await fitGain(blocks, loudnessCeilingDb)
  if (fit.limitedDb < trustedLimitDb) return fit.gainDb
  let gainDb = fit.gainDb
  let slope = 1
  let before: { gainDb: number; loudness: number } | undefined
  for (let i = 0; i <= maxCorrections; i++) {
    const loudness = await measureLimited(context, sound, gainDb)
    const missingDb = targetLoudness - loudness
    if (Math.abs(missingDb) <= toleranceDb || i === maxCorrections) break
    // With a limiter, a decibel of gain adds less than a decibel of loudness.
    if (before) slope = Math.max(0.3, (loudness - before.loudness) / (gainDb - before.gainDb))
    before = { gainDb, loudness }
    gainDb += missingDb / slope
  }
  return gainDb
}
