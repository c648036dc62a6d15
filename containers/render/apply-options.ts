import type { ProcessingOptions } from '../../worker/contract/options.ts'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import { clippingCeilingDb } from '../sound/limit-peaks.ts'
import type { Heard } from '../timeline/speech.ts'
import { nothingRemoved } from '../timeline/list-cuts.ts'
import { openSound, type PreparedSound } from '../sound/prepared-sound.ts'
import { chooseRow, type Row, type RowChoice } from './copy-row.ts'
import { evenFloor, isSameSize } from './frame-shape.ts'
import type { RenderState } from './render-state.ts'
import { renderSteps } from './render-steps.ts'
import { shapeClips, type Clips, type Shaped } from './shape-clips.ts'
import { standardMatrix } from './standard-picture.ts'

/** What was measured in addition to the clips. */
export type Measured = {
  readonly sound?: PreparedSound | undefined
  readonly elementMedia?: RenderState['elementMedia']
  /** What of the texts could not be drawn as asked. */
  readonly textWarnings?: readonly string[] | undefined
  /** How the picture of each clip is stored, if a join may copy them. */
  readonly packings?: readonly Packing[] | undefined
  /** What is said in the finished video and when, if an option needs that before the rendering. */
  readonly heard?: Heard | undefined
  /** What could not be cut by what is said. */
  readonly spokenWarnings?: readonly string[] | undefined
}

/**
 * Whether sources may be copied. Some cannot, although their codecs suggest it; `forbidden` says why they are encoded.
 */
export type Copying = 'allowed' | { readonly forbidden: string }

type Grounds = { readonly copying: Copying; readonly measured: Measured }

export type Applied = {
  readonly state: RenderState
  /** The names of the steps that changed something. */
  readonly applied: readonly string[]
  /** The joined pictures of several clips, if they are copied as stored. */
  readonly row: Row | undefined
  readonly untouched: { readonly video: boolean; readonly audio: boolean }
  /** Why several clips cannot be joined as stored, or why a copy is forbidden. */
  readonly whyEncoded: string | undefined
}

/** Applies every step in turn. Clips that fit together are joined as stored unless a step changes their pictures. */
export function applyOptions(clips: Clips, options: ProcessingOptions, grounds: Grounds): Applied {
  const shaped = shapeClips(clips, options)
  const choice = rowFor(shaped, options, grounds)
  const row = 'row' in choice ? choice.row : undefined
  const source = startOf(shaped, grounds.measured, row)
  const { state, applied } = applySteps(source, options)
  if (row && state.video !== row.picture) {
    return applyOptions(clips, options, { ...grounds, copying: pictureChanges })
  }
  return {
    ...{ state, row, applied: [...shaped.applied, ...applied] },
    untouched: {
      video: state.video === (row?.picture ?? clips[0].video),
      audio: !usesPrepared(grounds.measured) && state.audio === source.audio,
    },
    whyEncoded: 'why' in choice ? choice.why : undefined,
  }
}

const pictureChanges = { forbidden: 'an option changes the picture' }

function rowFor(
  { clips, applied }: Shaped,
  { compressionQuality, outputFormat }: ProcessingOptions,
  { copying, measured }: Grounds,
): RowChoice | Record<string, never> {
  if (copying !== 'allowed') return { why: copying.forbidden }
  if (clips.length === 1) return {}
  if (applied.length > 0) return { why: pictureChanges.forbidden }
  if (compressionQuality < 100) return { why: 'compressionQuality is below 100' }
  return chooseRow(clips, measured.packings, outputFormat)
}

function applySteps(source: RenderState, options: ProcessingOptions) {
  const applied: string[] = []
  const state = renderSteps.reduce((before, step) => {
    const after = step.apply(before, options)
    if (after.video !== before.video || after.audio !== before.audio) applied.push(step.name)
    return after
  }, source)
  if (!isSameSize(evenFloor(state), state.frame)) {
    throw new Error(`The steps ${applied.join(', ')} made another size than that of the frame`)
  }
  return { state, applied }
}

/** A sound that was prepared and came out as it was is read from its source. */
function usesPrepared({ sound }: Measured): boolean {
  return sound !== undefined && !sound.isUnchanged
}

function startOf(
  { clips, frame }: Shaped,
  { sound, elementMedia = [], textWarnings = [], spokenWarnings = [] }: Measured,
  row: Row | undefined,
): RenderState {
  const [first] = clips
  const { width, height, frameRate, averageFps, hasConstantRate, hasGaps } = first.facts.video
  return {
    clips,
    row: row?.picture,
    video: first.video,
    audio: sound && !sound.isUnchanged ? openSound(sound) : first.audio,
    sound,
    removed: nothingRemoved,
    ceilingDb: sound?.isDownmix && !sound.isUnchanged ? clippingCeilingDb : undefined,
    width,
    height,
    frame,
    frameRate,
    averageFps,
    hasConstantRate,
    hasGaps,
    elementMedia,
    colorMatrix: standardMatrix(first.facts.video),
    durationSeconds: first.facts.durationSeconds,
    warnings: [...spokenWarnings, ...(sound?.warnings ?? []), ...textWarnings],
  }
}
