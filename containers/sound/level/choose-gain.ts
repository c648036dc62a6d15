import type { Stream } from '../../graph/filter-graph.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { SoundBlocks } from './block-meter.ts'
import { fitGain, type Level } from './fit-gain.ts'
import { measureLimited } from './limited-loudness.ts'

/** Below this the limiter only reduces single peaks, so the prediction cannot be far off. */
const trustedLimitDb = 0.2
const toleranceDb = 0.15
const maxCorrections = 3

/**
 * Chooses the gain that brings a sound to the target loudness. If the limiter has much to do, measures what the real
 * limiter leaves, and corrects the gain. What is missing then is more than the peaks allow.
 */
export async function chooseGain(
  context: ToolContext,
  blocks: SoundBlocks,
  { sound, level }: { readonly sound: Stream<'audio'>; readonly level: Level },
): Promise<{ gainDb: number; missingDb: number }> {
  const { target, ceilingDb } = level
  const fit = await fitGain(blocks, level)
  if (fit.limitedDb < trustedLimitDb) return { gainDb: fit.gainDb, missingDb: 0 }
  let gainDb = fit.gainDb
  let slope = 1
  let before: { gainDb: number; loudness: number } | undefined
  for (let i = 0; ; i++) {
    const loudness = await measureLimited(context, sound, { gainDb, ceilingDb })
    const missingDb = target - loudness
    if (Math.abs(missingDb) <= toleranceDb || i === maxCorrections) return { gainDb, missingDb }
    // With a limiter, a decibel of gain adds less than a decibel of loudness.
    if (before) slope = Math.max(0.3, (loudness - before.loudness) / (gainDb - before.gainDb))
    before = { gainDb, loudness }
    gainDb += missingDb / slope
  }
}
