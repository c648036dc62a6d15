import type { Stream } from '../graph/filter-graph.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { loudnessCeilingDb } from './limit-peaks.ts'
import type { SoundBlocks } from './block-meter.ts'
import { fitGain, targetLoudness } from './fit-gain.ts'
import { measureLimited } from './limited-loudness.ts'

/** Under this the limiter only shaves single peaks, and the prediction cannot be far off. */
const trustedLimitDb = 0.2
const toleranceDb = 0.3
const maxCorrections = 2

/**
 * The gain that makes a sound as loud as it shall be. Where the limiter has much to do it is asked once what it really
 * leaves, and the gain corrected.
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
    // Behind a limiter a decibel of gain is less than a decibel of loudness.
    if (before) slope = Math.max(0.3, (loudness - before.loudness) / (gainDb - before.gainDb))
    before = { gainDb, loudness }
    gainDb += missingDb / slope
  }
  return gainDb
}
