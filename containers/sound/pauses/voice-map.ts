import { finishedTime, keptTime, type Timeline } from '../../timeline/timeline.ts'
import type { RawSound } from './cut-pauses.ts'
import { findVoices } from './find-voices.ts'
import { heardBlocks } from './heard-blocks.ts'
import type { SampleSpan } from '../dsp/pcm.ts'
import type { BlockRun } from '../dsp/runs.ts'

/** Where somebody speaks in the finished timeline, in blocks of 10 ms, and how loud each block is. */
export type VoiceMap = {
  readonly runs: readonly BlockRun[]
  /** K-weighted power. */
  readonly loudness: Float32Array
}

/** Undefined if nobody speaks in the kept parts, or the detector failed. */
export async function mapVoices(
  raw: RawSound,
  kept: readonly SampleSpan[],
  timeline: Pick<Timeline, 'speed'>,
): Promise<VoiceMap | undefined> {
  const { heard } = await heardBlocks(raw, kept)
  const voices = heard.voice && (await findVoices(heard, heard.voice))
  return voices && inFinishedTime({ runs: voices.runs, loudness: heard.loudness }, timeline)
}

function inFinishedTime({ runs, loudness }: VoiceMap, timeline: Pick<Timeline, 'speed'>): VoiceMap {
  if (timeline.speed === undefined) return { runs, loudness }
  const blockAt = (block: number) => Math.round(finishedTime(block, timeline))
  return {
    runs: runs.map(({ from, to }) => ({ from: blockAt(from), to: blockAt(to) })),
    loudness: Float32Array.from(
      { length: blockAt(loudness.length) },
      (_, block) => loudness[Math.floor(keptTime(block, timeline))] ?? 0,
    ),
  }
}
