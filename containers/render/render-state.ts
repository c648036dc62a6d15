import type { Element } from '../../worker/contract/options/elements/elements.ts'
import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import type { Output } from '../../worker/contract/options/outputs/outputs.ts'
import type { Stream, TextFile } from '../graph/filter-graph.ts'
import type { FrameRate } from '../timeline/frame-rate.ts'
import type { ColorMatrix } from '../timeline/media-facts.ts'
import type { Clip, FaceCover, InputOptionName } from '../timeline/clip.ts'
import type { SeenPeople } from '../timeline/seen-shots.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { CaptionTrack } from '../text/caption-track.ts'
import type { Frame } from './frame/fit-frame.ts'
import type { Size } from '../../worker/contract/layout/element-layout.ts'
import type { Joint } from '../timeline/joints.ts'
import type { Removed } from '../timeline/list-cuts.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'
import type { ElementMedia } from './elements/open-element.ts'
import type { Drawn } from './output/drawn-bytes.ts'
import type { Span } from '../numbers/spans.ts'

export type ElementType = Element['type']

/** The options of one result: those of the request, and those that only an output may have. */
export type RenderOptions = ProcessingOptions &
  Pick<Output, 'width' | 'height' | 'fps' | 'startTime' | 'duration'> &
  Pick<Output, 'videoCodec' | 'maxBytes' | 'maxBitrate'>
type OptionName = keyof RenderOptions

/** The picture of one clip before the join. */
export type ClipPicture = Size & {
  readonly video: Stream<'video'>
  readonly colorMatrix: ColorMatrix
  /** The table of colours that the request names. */
  readonly colorTable: TextFile | undefined
  /** The file that says how each picture is moved, so that none of them shakes. */
  readonly corrections: string | undefined
  /** The mask of where its faces are covered. */
  readonly faces: FaceCover | undefined
  /** The people seen in it, if the crop follows them. */
  readonly seen: SeenPeople | undefined
}

/**
 * What the steps have produced so far. The picture is always upright, with square pixels, 8-bit, limited range and
 * standard dynamic range. The state holds its size, so a step need not know which steps ran before.
 */
export type RenderState<Asked extends InputOptionName = InputOptionName> = {
  readonly clips: readonly Clip<Asked>[]
  readonly timeline: Timeline
  /** The pictures of all clips, joined as stored; undefined if a join has to decode them. */
  readonly row: Stream<'video'> | undefined
  /** The pictures that cuts leave of all clips, as stored; undefined if cuts have to decode them. */
  readonly cut: Stream<'video'> | undefined
  readonly video: Stream<'video'>
  readonly audio: Stream<'audio'> | undefined
  readonly width: number
  readonly height: number
  /**
   * The frame that every picture is fitted into: known before the first step, so that joining and fitting cannot
   * disagree.
   */
  readonly frame: Frame
  /** One entry for each of `elements`, in order; undefined in a plan that is made without their files. */
  readonly elementMedia: readonly (ElementMedia | undefined)[]
  /** The sounds of elements that are lowered while somebody speaks. */
  readonly ducked: Ducked | undefined
  /** What is burnt into the picture; undefined if nothing is. */
  readonly captions: CaptionTrack | undefined
  /** Everything that the steps have drawn over the picture. */
  readonly drawn: readonly Drawn[]
  /** The matrix in which colours drawn on the picture have to be written. */
  readonly colorMatrix: ColorMatrix
  /** The best steady rate at which to show it; `averageFps` is its real rate. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  /** Whether some pictures stand for several others; never true at a constant rate. */
  readonly hasGaps: boolean
  /** Whether the sound begins before the first picture or ends after the last one. */
  readonly isOutlasted: boolean
  readonly durationSeconds: number
  /** Present if an option changes the sound: `audio` is then the content of this file, already joined and cut. */
  readonly sound: PreparedSound | undefined
  /** Whether another sound replaces that of the clips: it already lasts as long as the finished film. */
  readonly isReplaced: boolean
  /** The spans that the cuts remove, in pictures of the steady rate of the joined timeline. The sound is cut by the same list. */
  readonly removed: Removed
  /** Where the kept parts overlap. */
  readonly joints: readonly Joint[]
  /** The highest allowed peak. Steps that raise or add sound set it; the last sound step applies it once. */
  readonly ceilingDb: number | undefined
  /** Reads only the pictures of an excerpt; undefined if everything is read from its start. */
  readonly readPart: ReadPart | undefined
  /** The part of the film that the result shows; undefined if it shows all of it. */
  readonly excerpt: Excerpt | undefined
  /** Warnings about anything that could not be done exactly as requested. */
  readonly warnings: readonly string[]
}

/** The same pictures of a film, read without those before them; undefined if that cannot be done exactly. */
export type ReadPart = (
  film: Stream<'video'>,
  /** Seconds of the film that begin and end between two pictures, or are infinite. */
  between: Span,
  zeroSeconds: number,
) => { readonly video: Stream<'video'>; readonly timing: readonly string[] } | undefined

/** In seconds of the whole film, in whole pictures. */
export type Excerpt = {
  readonly start: number
  readonly end: number
  /** Options of the run, if pictures before it are not even read. */
  readonly timing: readonly string[] | undefined
  /** Whether its sound is that of the source except for its ends. */
  readonly hasOwnSound: boolean
}

type DefinedStep<
  Name extends OptionName = OptionName,
  Asked extends InputOptionName = InputOptionName,
  Type extends ElementType = ElementType,
> = {
  readonly name: string
  readonly reads: readonly Name[]
  readonly readsOfInputs: readonly Asked[]
  readonly readsOfElements: readonly Type[]
  shapeClip(picture: ClipPicture, options: RenderOptions): ClipPicture
  frame(frame: Frame, options: RenderOptions): Frame
  apply(state: RenderState, options: RenderOptions): RenderState
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
  /** Changes every clip by itself, such as turning it; the join sees the changed clips. */
  shapeClip?(picture: ClipPicture, options: Pick<RenderOptions, Name>): ClipPicture
  /** Changes the frame of the result; `shape-clips.ts` calls every step in turn. */
  frame?(frame: Frame, options: Pick<RenderOptions, Name>): Frame
  /** Changes the whole timeline. Only joining and fitting change the size, and both to `state.frame`. */
  apply?(state: RenderState<Asked>, options: Pick<RenderOptions, Name>): RenderState<Asked>
}

/**
 * A step sees only the options that it names; `render-steps.ts` checks that some step names every option. A step first
 * checks whether it has anything to do, and if not returns the state unchanged.
 */
export function renderStep<
  const Name extends OptionName,
  const Asked extends InputOptionName = never,
  const Type extends ElementType = never,
>(definition: StepDefinition<Name, Asked, Type>): DefinedStep<Name, Asked, Type> {
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

/** Sounds of elements that were rewritten to be quieter while somebody speaks, with their volume, fades and length applied. */
export type Ducked = {
  /** Raw samples like those of a prepared sound, by the index of the element. */
  readonly files: ReadonlyMap<number, string>
  readonly warnings: readonly string[]
}
