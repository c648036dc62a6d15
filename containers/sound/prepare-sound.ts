import path from 'node:path'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { segmentCuts, withLaterCuts } from '../render/cut-list.ts'
import { keptSpans, type FrameSpan } from '../render/frame-spans.ts'
import { openSound, type PreparedSound } from '../render/prepared-sound.ts'
import type { Clip } from '../render/render-state.ts'
import { soundOf } from '../render/standard-sound.ts'
import { timelineOf, type Timeline } from '../render/timeline.ts'
import { fpsOf } from '../ffmpeg/frame-rate.ts'
import type { SoundBlocks } from './block-meter.ts'
import { chooseGain } from './choose-gain.ts'
import { cutSound } from './cut-sound.ts'
import { findSilences, type Silence } from './find-silences.ts'
import { leastLoudness } from './fit-gain.ts'
import { keepBlocks } from './keep-blocks.ts'
import { integratedLoudness } from './loudness.ts'
import { recordTimeline, soundPath } from './record-timeline.ts'
import { toSamples } from './sound-graph.ts'
import { changesSound, type SoundOptions } from './sound-request.ts'
import type { VoiceDetector } from './voice-activity.ts'

export type SoundRequest = {
  readonly clips: readonly Clip[]
  readonly options: SoundOptions
  readonly voices: VoiceDetector
  /** Whether its words are wanted too. */
  readonly isTranscribed: boolean
  /** 0 … 1 */
  readonly onProgress: (share: number) => void
  /** What went wrong and could be done without. */
  readonly onFault: (error: unknown) => void
}

/**
 * Decodes the sound of the whole timeline once, cleans it, measures it, and cuts it; undefined when nobody asked for
 * anything that changes sound, or there is none.
 */
export async function prepareSound(
  context: ToolContext,
  request: SoundRequest,
): Promise<PreparedSound | undefined> {
  const { clips, options } = request
  if (!changesSound(clips, options)) return undefined
  const timeline = timelineOf(clips)
  const { removeSegments } = options
  const wanted = segmentCuts(timeline, { clips: clips.map(({ asked }) => asked), removeSegments })
  const { blocks, speech } = await recordTimeline(context, request, timeline)
  const cuts = await cutSilences(timeline, wanted, { blocks, options })
  const kept = keptSpans(cuts.removed, timeline.totalFrames).map((span) =>
    toSamples(span, timeline.frameRate),
  )
  const isCut = cuts.removed.length > 0
  if (isCut) await cutSound(path.join(context.folder, soundPath), kept, context.signal)
  const level = await findLevel(context, isCut ? await keepBlocks(blocks, kept) : blocks, options)
  return {
    path: soundPath,
    speech,
    removed: { all: cuts.removed, asked: wanted },
    loudness: level.loudness,
    gainDb: level.gainDb,
    hasNoiseRemoved: options.removeNoise,
    isDownmix: clips.some((clip) => soundOf(clip) && (clip.facts.audio?.channels ?? 0) > 2),
    warnings: [...cuts.warnings, ...level.warnings],
  }
}

type Cuts = { removed: readonly FrameSpan[]; warnings: string[] }

async function cutSilences(
  timeline: Timeline,
  wanted: readonly FrameSpan[],
  { blocks, options }: { blocks: SoundBlocks; options: SoundOptions },
): Promise<Cuts> {
  if (!options.removeSilence) return { removed: wanted, warnings: [] }
  // Heard after the segments are out: two short pauses around one make a long one.
  const kept = keptSpans(wanted, timeline.totalFrames).map((span) =>
    toSamples(span, timeline.frameRate),
  )
  const hearing = await findSilences(await keepBlocks(blocks, kept))
  switch (hearing.kind) {
    case 'silent':
      return { removed: wanted, warnings: ['removeSilence: all of it is silent, so all was kept.'] }
    case 'even':
      return {
        removed: wanted,
        warnings: ['removeSilence: no pauses could be told from the sound, so all was kept.'],
      }
    case 'pauses': {
      const silent = hearing.silences.map((silence) => framesWithin(silence, timeline))
      return { removed: withLaterCuts(timeline, wanted, silent), warnings: [] }
    }
  }
}

/** Whole pictures inside a pause: rounded so that nothing of the padding is lost. */
function framesWithin({ startSeconds, endSeconds }: Silence, { frameRate }: Timeline): FrameSpan {
  const fps = fpsOf(frameRate)
  return { from: Math.ceil(startSeconds * fps - 1e-6), to: Math.floor(endSeconds * fps + 1e-6) }
}

type Level = { loudness: number | undefined; gainDb: number | undefined; warnings: string[] }

async function findLevel(
  context: ToolContext,
  blocks: SoundBlocks,
  { normalizeAudio }: SoundOptions,
): Promise<Level> {
  const measured = await integratedLoudness(blocks.loudness.subarray(0, blocks.count))
  const loudness = Number.isFinite(measured) ? measured : undefined
  if (!normalizeAudio) return { loudness, gainDb: undefined, warnings: [] }
  if (measured < leastLoudness) {
    const warnings = [
      'normalizeAudio: the sound is too quiet to be raised, so it was left as it is.',
    ]
    return { loudness, gainDb: undefined, warnings }
  }
  const gainDb = await chooseGain(context, blocks, openSound({ path: soundPath }))
  return { loudness, gainDb, warnings: [] }
}
