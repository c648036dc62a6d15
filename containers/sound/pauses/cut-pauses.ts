import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { withLaterCuts } from '../../timeline/cut-list.ts'
import { keptSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { blocksPerSecond, type SoundBlocks } from '../level/block-meter.ts'
import { findPauses, leastCutSeconds, type Pauses } from './find-pauses.ts'
import { heardBlocks } from './heard-blocks.ts'
import { musicIn } from '../music/find-music.ts'
import type { BlockRun } from '../dsp/runs.ts'
import { samplesOfSpan } from '../sound-graph.ts'
import type { SpeechSound } from '../speech-sound.ts'

/** Measurements of the raw sound of the whole timeline: its levels, and its speech sound. */
export type RawSound = { readonly blocks: SoundBlocks; readonly speech: SpeechSound }

/**
 * Adds the pauses to the cuts of the request. It looks for pauses in what those cuts leave, because two short pauses
 * around a cut become a long one.
 */
export async function cutPauses(
  tools: ToolContext,
  timeline: Timeline,
  wanted: readonly FrameSpan[],
  raw: RawSound,
) {
  const { removed, kind, isDeaf } = await lookForPauses(tools, timeline, wanted, raw)
  return { removed, warnings: warningsOf(kind, isDeaf) }
}

/** The wanted cuts, the pauses, and how these were recognised. */
export type FoundPauses = {
  readonly removed: readonly FrameSpan[]
  readonly kind: Pauses['kind']
  /** Whether the voice detector failed. */
  readonly isDeaf: boolean
}

/** Finds the pauses in what the wanted cuts leave. */
export async function lookForPauses(
  { folder, signal }: ToolContext,
  timeline: Timeline,
  wanted: readonly FrameSpan[],
  raw: RawSound,
): Promise<FoundPauses> {
  const kept = keptSpans(wanted, timeline.totalFrames).map((span) =>
    samplesOfSpan(span, timeline.frameRate),
  )
  const { heard, sourceOf } = await heardBlocks(raw, kept)
  const file = path.join(folder, raw.speech.path)
  const { kind, pauses } = await findPauses(heard, musicIn(file, sourceOf, signal))
  const spans = pauses.flatMap((pause) => framesWithin(pause, timeline))
  return {
    removed: withLaterCuts(timeline, wanted, spans),
    kind,
    isDeaf: raw.speech.activity === undefined,
  }
}

/**
 * Returns the whole pictures inside a pause, rounded so that the padding keeps its full length; none if too few are
 * left.
 */
function framesWithin({ from, to }: BlockRun, { frameRate }: Timeline): FrameSpan[] {
  const fps = fpsOf(frameRate)
  const span = {
    from: Math.ceil((from / blocksPerSecond) * fps - 1e-6),
    to: Math.floor((to / blocksPerSecond) * fps + 1e-6),
  }
  return span.to - span.from >= leastCutSeconds * fps - 1e-6 ? [span] : []
}

function warningsOf(kind: Pauses['kind'], isDeaf: boolean): string[] {
  if (kind === 'all-silent') return ['removeSilence: all of it is silent, so all was kept.']
  if (isDeaf) {
    return ['removeSilence: the voice detector failed, so only what is silent was cut.']
  }
  if (kind === 'between-voices') return []
  return ['removeSilence: no voice was found, so only what is silent was cut.']
}
