import type { Element } from '../../worker/contract/elements.ts'
import type { OptionName, ProcessingOptions } from '../../worker/contract/options.ts'
import type { Stream } from '../graph/filter-graph.ts'
import type { FrameRate } from '../timeline/frame-rate.ts'
import type { ColorMatrix } from '../timeline/media-facts.ts'
import type { Clip, InputOptionName } from '../timeline/clip.ts'
import type { Frame } from './fit-frame.ts'
import type { Size } from './frame-shape.ts'
import type { Removed } from '../timeline/list-cuts.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'
import type { ElementMedia } from './open-element.ts'

export type ElementType = Element['type']

/** The picture of one clip, before clips are joined. */
export type ClipPicture = Size & { readonly video: Stream<'video'> }

/**
 * What the steps so far have produced. The picture is always upright, with square pixels, 8-bit, limited range and
 * standard dynamic range. Geometry travels with it, so the order of the steps is the only order.
 */
export type RenderState<Asked extends InputOptionName = InputOptionName> = {
  readonly clips: readonly Clip<Asked>[]
  /** The pictures of all clips, joined as they are stored; undefined where a join has to decode them. */
  readonly row: Stream<'video'> | undefined
  readonly video: Stream<'video'>
  readonly audio: Stream<'audio'> | undefined
  readonly width: number
  readonly height: number
  /** What every picture is brought into: known before the first step, so that joining and fitting cannot disagree. */
  readonly frame: Frame
  /** One for each entry of `elements`, in their order; undefined in a plan made without their files. */
  readonly elementMedia: readonly (ElementMedia | undefined)[]
  /** What a colour drawn on the picture has to be written in. */
  readonly colorMatrix: ColorMatrix
  /** The steady rate it is best shown at; pictures a second really there are `averageFps`. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  /** Some pictures stand for several others; never when the rate is constant. */
  readonly hasGaps: boolean
  readonly durationSeconds: number
  /** Present when anything changes the sound: `audio` is then what is in this file, already joined and cut. */
  readonly sound: PreparedSound | undefined
  /** What was cut out of the joined timeline, in pictures of its steady rate. */
  readonly removed: Removed
  /** What peaks may reach; asked for by whatever raises or adds sound, and seen to once, after all of it. */
  readonly ceilingDb: number | undefined
  /** What was asked and could not be honoured to the letter. */
  readonly warnings: readonly string[]
}

export type RenderStep<
  Name extends OptionName = OptionName,
  Asked extends InputOptionName = InputOptionName,
  Type extends ElementType = ElementType,
> = {
  readonly name: string
  readonly reads: readonly Name[]
  readonly readsOfInputs: readonly Asked[]
  readonly readsOfElements: readonly Type[]
  shapeClip(picture: ClipPicture, options: ProcessingOptions): ClipPicture
  frame(frame: Frame, options: ProcessingOptions): Frame
  apply(state: RenderState, options: ProcessingOptions): RenderState
}

type StepDefinition<
  Name extends OptionName,
  Asked extends InputOptionName,
  Type extends ElementType,
> = {
  name: string
  reads: readonly Name[]
  readsOfInputs?: readonly Asked[]
  readsOfElements?: readonly Type[]
  /** What becomes of every clip by itself, such as a turn: joining sees clips that are already so. */
  shapeClip?(picture: ClipPicture, options: Pick<ProcessingOptions, Name>): ClipPicture
  /** What the option makes of the frame of the result; `shape-clips.ts` asks every step in turn. */
  frame?(frame: Frame, options: Pick<ProcessingOptions, Name>): Frame
  /** What becomes of the whole timeline. Only joining and fitting change the size, and both to `state.frame`. */
  apply?(state: RenderState<Asked>, options: Pick<ProcessingOptions, Name>): RenderState<Asked>
}

/**
 * A step sees only the options it names; `render-steps.ts` checks that every option is named by some step. A step begins
 * with its own "nothing to do", and then returns the state it was given.
 */
export function renderStep<
  const Name extends OptionName,
  const Asked extends InputOptionName = never,
  const Type extends ElementType = never,
>(definition: StepDefinition<Name, Asked, Type>): RenderStep<Name, Asked, Type> {
  const { name, reads, readsOfInputs = [], readsOfElements = [] } = definition
  return {
    name,
    reads,
    readsOfInputs,
    readsOfElements,
    shapeClip: (picture, options) => definition.shapeClip?.(picture, options) ?? picture,
    frame: (frame, options) => definition.frame?.(frame, options) ?? frame,
    apply: (state, options) => ({
      ...state,
      ...definition.apply?.(state, options),
      clips: state.clips,
    }),
  }
}
