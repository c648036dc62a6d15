import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import { cutPicture, type Cutting } from '../cuts/cutting.ts'
import type { CutChoice } from '../cuts/measure-cutting.ts'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import { clippingCeilingDb } from '../sound/level/limit-peaks.ts'
import type { Heard } from '../timeline/speech.ts'
import { nothingRemoved } from '../timeline/list-cuts.ts'
import { openSound, type PreparedSound } from '../sound/prepared-sound.ts'
import { chooseRow, type Row, type RowChoice } from './copy-row.ts'
import type { Ducked } from './elements/ducked.ts'
import type { CaptionTrack } from '../text/caption-track.ts'
import type { CaptionFile } from './captions/caption-file.ts'
import { evenFloor, isSameSize } from './frame/frame-shape.ts'
import type { RenderState } from './render-state.ts'
import { renderSteps } from './render-steps.ts'
import { shapeClips, type Clips, type Shaped } from './frame/shape-clips.ts'
import { standardMatrix } from './color/standard-picture.ts'
import { isOutlasted } from './elements/without-gaps.ts'

/** What was measured in addition to the clips. */
export type Measured = {
  readonly sound?: PreparedSound | undefined
  readonly elementMedia?: RenderState['elementMedia']
  /** Captions to burn, and the text of a track in the file. */
  readonly captions?: CaptionTrack | undefined
  readonly captionFile?: CaptionFile | undefined
  /** What of the texts could not be drawn as asked. */
  readonly textWarnings?: readonly string[] | undefined
  readonly ducked?: Ducked | undefined
  /** How the picture of each clip is stored, if a join may copy them. */
  readonly packings?: readonly Packing[] | undefined
  /** What is said in the finished video and when, if an option needs that before the rendering. */
  readonly heard?: Heard | undefined
  /** What could not be cut by what is said. */
  readonly spokenWarnings?: readonly string[] | undefined
  /** How the clips are joined and cut as they are stored, or why not; undefined if that was not to be found out. */
  readonly cut?: CutChoice | undefined
}

/**
 * Whether sources may be copied. Some cannot, although their codecs suggest it; `forbidden` says why they are encoded.
 */
export type Copying =
  | 'allowed'
  | {
      readonly forbidden: string
      /** Whether a copy was made and was not true to its source. */
      readonly hasFailed?: true
    }

type Grounds = { readonly copying: Copying; readonly measured: Measured }

export type Applied = {
  readonly state: RenderState
  /** The names of the steps that changed something. */
  readonly applied: readonly string[]
  /** The joined pictures of several clips, if they are copied as stored. */
  readonly row: Row | undefined
  /** How the clips are joined and cut as they are stored. */
  readonly cutting: Cutting | undefined
  readonly untouched: { readonly video: boolean; readonly audio: boolean }
  /** Why clips cannot be joined or cut as they are stored, or why a copy is forbidden. */
  readonly whyEncoded: string | undefined
}

/** Applies every step in turn. Clips that fit together are joined as stored unless a step changes their pictures. */
export function applyOptions(clips: Clips, options: ProcessingOptions, grounds: Grounds): Applied {
  const shaped = shapeClips(clips, options)
  const choice = copyFor(shaped, options, grounds)
  const row = 'row' in choice ? choice.row : undefined
  const cutting = 'cutting' in choice ? choice.cutting : undefined
  const copied = row?.picture ?? (cutting && cutPicture(cutting))
  const source = startOf(shaped, grounds.measured, { row: row?.picture, cut: cutting && copied })
  const { state, applied } = applySteps(source, options)
  if (copied && state.video !== copied) {
    return applyOptions(clips, options, { ...grounds, copying: pictureChanges })
  }
  return {
    ...{ state, row, cutting, applied: [...shaped.applied, ...applied] },
    untouched: {
      video: state.video === (copied ?? clips[0].video),
      audio: !usesPrepared(grounds.measured) && state.audio === source.audio,
    },
    whyEncoded: 'why' in choice ? choice.why : undefined,
  }
}

const pictureChanges = { forbidden: 'an option changes the picture' }

/** Whether an option changes more of the pictures than which of them are shown. */
export function keepsPictures(clips: Clips, options: ProcessingOptions, measured: Measured) {
  const shaped = shapeClips(clips, options)
  const { video } = clips[0]
  const { state } = applySteps(startOf(shaped, measured, { cut: video }), options)
  return shaped.applied.length === 0 && state.video === video
}

/** How the pictures can be copied although there are several clips, or although they are cut. */
function copyFor(
  { clips, applied }: Shaped,
  { compressionQuality, outputFormat }: ProcessingOptions,
  { copying, measured }: Grounds,
): RowChoice | CutChoice | Record<string, never> {
  if (copying !== 'allowed') return { why: copying.forbidden }
  if (clips.length === 1 && !measured.cut) return {}
  if (applied.length > 0) return { why: pictureChanges.forbidden }
  if (compressionQuality < 100) return { why: 'compressionQuality is below 100' }
  if (measured.cut) return measured.cut
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
  { sound, ducked, elementMedia = [], captions, ...said }: Measured,
  { row, cut }: Partial<Pick<RenderState, 'row' | 'cut'>>,
): RenderState {
  const [first] = clips
  const { textWarnings = [], spokenWarnings = [] } = said
  const { width, height, frameRate, averageFps, hasConstantRate, hasGaps } = first.facts.video
  return {
    clips,
    row,
    cut,
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
    isOutlasted: isOutlasted(first.facts),
    elementMedia,
    ducked,
    captions,
    colorMatrix: standardMatrix(first.facts.video),
    durationSeconds: first.facts.durationSeconds,
    warnings: [...spokenWarnings, ...(sound?.warnings ?? []), ...textWarnings],
  }
}
