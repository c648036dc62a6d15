import { open } from 'node:fs/promises'
import path from 'node:path'
import { compileArgs } from '../../graph/compile-args.ts'
import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { limitPeaks } from './limit-peaks.ts'

const meterFile = 'loudness.txt'
const lastLineBytes = 256

/** Measures the loudness of a sound after this gain and the real limiter, in LUFS. It decodes only raw samples. */
export async function measureLimited(
  context: ToolContext,
  sound: Stream<'audio'>,
  { gainDb, ceilingDb }: { readonly gainDb: number; readonly ceilingDb: number },
): Promise<number> {
  const limited = limitPeaks(pipe(sound, 'volume', { volume: `${gainDb.toFixed(2)}dB` }), ceilingDb)
  const metered = pipeAll(limited, [
    ['ebur128', { metadata: 1 }],
    ['ametadata', { mode: 'print', key: 'lavfi.r128.I', file: meterFile }],
  ])
  const command = compileArgs({
    tracks: [{ stream: metered, coding: [] }],
    muxing: ['-f', 'null'],
    path: 'nothing',
    threads: context.threads,
    maxPixels: context.maxPixels,
  })
  await runFfmpeg(context, command, () => undefined)
  const loudness = /lavfi\.r128\.I=(-?[\d.]+)\s*$/.exec(await lastText(context.folder))?.[1]
  if (loudness === undefined) throw new Error('The meter wrote no loudness')
  return Number(loudness)
}

async function lastText(folder: string): Promise<string> {
  const handle = await open(path.join(folder, meterFile))
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - lastLineBytes)
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(lastLineBytes),
      0,
      lastLineBytes,
      from,
    )
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
