import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { loudnessAsked } from '../../worker/contract/options/sound/loudness.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { withSpokenCuts, type DecidedCuts } from '../timeline/cut-list.ts'
import { keptPieces } from '../timeline/joints.ts'
import { decidedOf, type Removed } from '../timeline/list-cuts.ts'
import { openSound, type PreparedSound } from './prepared-sound.ts'
import type { SoundBlocks } from './level/block-meter.ts'
import { chooseGain } from './level/choose-gain.ts'
import { cutPauses } from './pauses/cut-pauses.ts'
import { cutSound, type SoundPiece } from './cut-sound.ts'
import { bytesPerFrame, workedRate } from './dsp/pcm.ts'
import { ceilingBelow } from './level/limit-peaks.ts'
import { leastLoudness } from './level/fit-gain.ts'
import { keepBlocks } from './pauses/keep-blocks.ts'
import { integratedLoudness } from './level/loudness.ts'
import { recordTimeline, soundPath, type RecordedTimeline } from './record-timeline.ts'
import { samplesOfSpan } from './sound-graph.ts'
import { steadyChannels } from './steady-channels.ts'
import {
  changesSound,
  countDucked,
  hasOwnVolume,
  type SoundOptions,
  type SoundRequest,
} from './sound-request.ts'
import { mapVoices } from './pauses/voice-map.ts'

/** The decoded sound of the whole timeline, cleaned but uncut, and what is to be cut out of it so far. */
export type DecodedSound = SteadiedSound & {
  /** Whether words in it were replaced. */
  readonly isCovered?: boolean
  readonly removed: Removed
  readonly warnings: readonly string[]
}

type SteadiedSound = RecordedTimeline & {
  /** Whether the number of channels changed midway. */
  readonly isSteadied: boolean
}

/**
 * Decodes the sound of the whole timeline once, cleans and measures it; undefined if no option changes the sound, or if there
 * is none. Speech in it is transcribed before it is known what the words cut.
 */
export async function decodeSound(
  tools: ToolContext,
  request: SoundRequest,
): Promise<DecodedSound | undefined> {
  if (!changesSound(request, request.options)) return undefined
  const recorded = await recordSteadily(tools, request)
  return { ...recorded, ...(await cutMore(tools, request, request.removed, recorded)) }
}

type SoundCutRequest = Pick<SoundRequest, 'clips' | 'timeline' | 'options'>
type FinishRequest = SoundCutRequest &
  Pick<SoundRequest, 'joints'> & {
    /** The file for the result; if absent, the decoded sound is cut in its own file and no longer exists afterwards. */
    readonly into?: string | undefined
  }

/** Adds the cuts found in the speech and everything outside of a clip, then looks again for pauses in the rest. */
export async function cutSpoken(
  tools: ToolContext,
  request: SoundCutRequest,
  decoded: DecodedSound,
  cuts: DecidedCuts,
): Promise<DecodedSound> {
  const { timeline } = request
  const { text, fillers, outside = [] } = cuts
  if (text.length + fillers.length + outside.length === 0) return decoded
  const decided = withSpokenCuts(timeline, decoded.removed.asked, cuts)
  return { ...decoded, ...(await cutMore(tools, request, decided, decoded)) }
}

/** Adds the pauses, if they are to be removed, to the cuts already decided. */
async function cutMore(
  tools: ToolContext,
  { timeline, options }: SoundCutRequest,
  decided: Omit<Removed, 'all'>,
  { raw }: Pick<RecordedTimeline, 'raw'>,
): Promise<Pick<DecodedSound, 'removed' | 'warnings'>> {
  const wanted = decidedOf(decided)
  if (!raw || !options.removeSilence) return { removed: { ...decided, all: wanted }, warnings: [] }
  const { removed, warnings } = await cutPauses(tools, timeline, wanted, raw)
  return { removed: { ...decided, all: removed }, warnings }
}

/** Cuts the decoded sound in its file, with transitions between the remaining parts, and finds its level. */
export async function finishSound(
  tools: ToolContext,
  { clips, timeline, options, joints, into }: FinishRequest,
  decoded: DecodedSound,
): Promise<PreparedSound> {
  const { blocks, speech, raw, hasNoiseRemoved, isSteadied, removed, warnings } = decoded
  const pieces = keptPieces({ timeline, removed, joints }).map(({ overlap, ...span }) => ({
    ...samplesOfSpan(span, timeline.frameRate),
    overlap: samplesOfSpan({ from: 0, to: overlap }, timeline.frameRate).to,
  }))
  const isCut = removed.all.length + joints.length > 0
  // A sound without cuts is read where it is.
  const file = isCut && into !== undefined ? into : soundPath
  const placed = file === soundPath ? pieces : await copySound(tools, file, pieces)
  if (isCut) await cutSound(path.join(tools.folder, file), placed, tools.signal)
  // Of two sounds at once, the first is measured.
  const kept = pieces.map(({ from, to, overlap }) => ({ from: from + overlap, to }))
  const level = await findLevel(tools, isCut ? await keepBlocks(blocks, kept) : blocks, {
    options,
    file,
    speed: timeline.speed ?? 1,
  })
  const isOther = isSteadied || hasNoiseRemoved || decoded.isCovered === true
  const isChanged = isOther || isCut || level.gainDb !== undefined || clips.some(hasOwnVolume)
  return {
    path: file,
    speech,
    voices: raw && countDucked(options) > 0 ? await mapVoices(raw, kept, timeline) : undefined,
    removed,
    loudness: level.loudness,
    gainDb: level.gainDb,
    hasNoiseRemoved,
    isUnchanged: clips.length === 1 && !isChanged,
    warnings: [...warnings, ...level.warnings],
  }
}

/** How much of the sound around a clip is copied with it, for the fades at its ends. */
const copiedAround = workedRate

/** Copies the part of the decoded sound in which these pieces lie; returns their places in the copy. */
async function copySound(
  { folder, signal }: ToolContext,
  file: string,
  pieces: readonly SoundPiece[],
): Promise<SoundPiece[]> {
  const from = Math.max(0, (pieces[0]?.from ?? 0) - copiedAround)
  const to = (pieces.at(-1)?.to ?? 0) + copiedAround
  const bytes = { start: from * bytesPerFrame, end: to * bytesPerFrame - 1 }
  await pipeline(
    createReadStream(path.join(folder, soundPath), bytes),
    createWriteStream(path.join(folder, file)),
    { signal },
  )
  return pieces.map((piece) => ({ ...piece, from: piece.from - from, to: piece.to - from }))
}

/** Records again if the number of channels changed midway, which only decoding shows. */
async function recordSteadily(tools: ToolContext, request: SoundRequest): Promise<SteadiedSound> {
  const recorded = await recordTimeline(tools, request)
  if (!recorded.isBrokenUp) return { ...recorded, isSteadied: false }
  const clips = await steadyChannels(tools, request.clips)
  const again = await recordTimeline(tools, { ...request, clips })
  return { ...again, isSteadied: true }
}

/** A loudness closer than this to the requested one counts as reached. */
const mostMissingDb = 0.3

async function findLevel(
  tools: ToolContext,
  blocks: SoundBlocks,
  { options, file, speed }: { options: SoundOptions; file: string; speed: number },
) {
  const measured = await integratedLoudness(blocks.loudness.subarray(0, blocks.count))
  const loudness = Number.isFinite(measured) ? measured : undefined
  const asked = loudnessAsked(options.normalizeAudio)
  if (!asked) return { loudness, gainDb: undefined, warnings: [] }
  if (measured < leastLoudness) {
    const warnings = [
      'normalizeAudio: the sound is too quiet to be raised, so it was left as it is.',
    ]
    return { loudness, gainDb: undefined, warnings }
  }
  const { gainDb, missingDb } = await chooseGain(tools, blocks, {
    sound: openSound({ path: file }),
    speed,
    level: { target: asked.target, ceilingDb: ceilingBelow(asked.peak) },
  })
  const reached = (asked.target - missingDb).toFixed(1)
  const warnings =
    missingDb > mostMissingDb
      ? [
          `normalizeAudio: the sound reaches only ${reached} LUFS with peaks of at most ${asked.peak} dBTP.`,
        ]
      : []
  return { loudness, gainDb, warnings }
}
