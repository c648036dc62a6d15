import path from 'node:path'
import { type Stream, pipe, pipeAll } from '../../graph/filter-graph.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { SoundBlocks } from './block-meter.ts'
import { fitGain, leastLoudness, type Level } from './fit-gain.ts'
import { open } from 'node:fs/promises'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import { changeTempo } from '../change-tempo.ts'
import { limitPeaks } from './limit-peaks.ts'

type WantedLevel = {
  readonly sound: Stream<'audio'>
  readonly speed: number
  readonly level: Level
}

/** Below this the limiter only reduces single peaks, so the prediction cannot be far off. */
const trustedLimitDb = 0.2
const toleranceDb = 0.15
const maxCorrections = 3

/**
 * Chooses the gain that brings a sound to the target loudness. If the limiter has much to do, or if the sound is played at
 * another speed, which changes its loudness too, measures the result of both, and corrects the gain. What is missing after that
 * is more than the peaks allow.
 */
export async function chooseGain(
  tools: ToolContext,
  blocks: SoundBlocks,
  { sound, speed, level }: WantedLevel,
): Promise<{ gainDb: number; missingDb: number }> {
  const { target, ceilingDb } = level
  const fit = await fitGain(blocks, level)
  if (fit.limitedDb < trustedLimitDb && speed === 1) return { gainDb: fit.gainDb, missingDb: 0 }
  let gainDb = fit.gainDb
  let slope = 1
  let before: { gainDb: number; loudness: number } | undefined
  for (let i = 0; ; i++) {
    const loudness = await measureLimited(tools, sound, { gainDb, ceilingDb, speed })
    // Played faster, a sound may be too short for the meter.
    if (loudness < leastLoudness) return { gainDb, missingDb: 0 }
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

type GainChange = { readonly gainDb: number; readonly speed: number; readonly ceilingDb: number }

/** Measures the loudness of a sound after this gain, at its speed, and after the real limiter, in LUFS. It decodes only raw samples. */
async function measureLimited(
  tools: ToolContext,
  sound: Stream<'audio'>,
  { gainDb, speed, ceilingDb }: GainChange,
): Promise<number> {
  const raised = pipe(sound, 'volume', { volume: `${gainDb.toFixed(2)}dB` })
  const limited = limitPeaks(speed === 1 ? raised : changeTempo(raised, speed), ceilingDb)
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
