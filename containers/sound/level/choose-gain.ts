import path from 'node:path'
import { type Stream, pipe, pipeAll } from '../../graph/filter-graph.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { SoundBlocks } from './block-meter.ts'
import { fitGain, type Level } from './fit-gain.ts'
import { open } from 'node:fs/promises'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import { limitPeaks } from './limit-peaks.ts'

/** Below this the limiter only reduces single peaks, so the prediction cannot be far off. */
const trustedLimitDb = 0.2
const toleranceDb = 0.15
const maxCorrections = 3

/**
 * Chooses the gain that brings a sound to the target loudness. If the limiter has much to do, measures what the real
 * limiter leaves, and corrects the gain. What is missing then is more than the peaks allow.
 */
export async function chooseGain(
  tools: ToolContext,
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
    const loudness = await measureLimited(tools, sound, { gainDb, ceilingDb })
    const missingDb = target - loudness
    if (Math.abs(missingDb) <= toleranceDb || i === maxCorrections) return { gainDb, missingDb }
    // With a limiter, a decibel of gain adds less than a decibel of loudness.
    if (before) slope = Math.max(0.3, (loudness - before.loudness) / (gainDb - before.gainDb))
    before = { gainDb, loudness }
    gainDb += missingDb / slope
  }
}

const meterFile = 'loudness.txt'
const lastLineBytes = 256

/** Measures the loudness of a sound after this gain and the real limiter, in LUFS. It decodes only raw samples. */
async function measureLimited(
  tools: ToolContext,
  sound: Stream<'audio'>,
  { gainDb, ceilingDb }: { readonly gainDb: number; readonly ceilingDb: number },
): Promise<number> {
  const limited = limitPeaks(pipe(sound, 'volume', { volume: `${gainDb.toFixed(2)}dB` }), ceilingDb)
  const metered = pipeAll(limited, [
    ['ebur128', { metadata: 1 }],
    ['ametadata', { mode: 'print', key: 'lavfi.r128.I', file: meterFile }],
  ])
  const tracks = [{ stream: metered, coding: [] }]
  await runGraph(tools, { tracks, muxing: ['-f', 'null'], path: 'nothing' })
  const loudness = /lavfi\.r128\.I=(-?[\d.]+)\s*$/.exec(await lastText(tools.folder))?.[1]
  if (loudness === undefined) throw new Error('The meter wrote no loudness')
  return Number(loudness)
}

async function lastText(folder: string): Promise<string> {
  await using handle = await open(path.join(folder, meterFile))
  const { size } = await handle.stat()
  const from = Math.max(0, size - lastLineBytes)
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(lastLineBytes),
    0,
    lastLineBytes,
    from,
  )
  return buffer.toString('latin1', 0, bytesRead)
}
