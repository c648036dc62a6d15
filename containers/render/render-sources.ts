import type { CutChoice } from '../cuts/plan/measure-cutting.ts'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import type { Stream } from '../graph/filter-graph.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'
import type { CaptionTrack } from '../text/caption-track.ts'
import type { Clips } from '../timeline/clip.ts'
import type { CutTimeline } from '../timeline/list-cuts.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { CaptionFile } from './captions/embed-captions.ts'
import type { Shaped } from './frame/shape-clips.ts'
import type { Pass } from './output/passes.ts'
import type { Ducked, ReadPart, RenderState } from './render-state.ts'

/** The measured files from which a video is made. */
export type Footage = {
  readonly clips: Clips
  readonly timeline: Timeline
  /** The clips as the options shape each of them, and the frame of the result. */
  readonly shaped: Shaped
  readonly elementMedia: RenderState['elementMedia']
  /** How the picture of each clip is stored, if a join may copy them. */
  readonly packings: readonly Packing[] | undefined
}

/** Another sound that replaces the one of the finished film: it is neither cut nor played at another speed. */
export type Replacement = CutTimeline & {
  readonly clips: Clips
  readonly sound: PreparedSound | undefined
  readonly audio: Stream<'audio'>
}

/** The footage once all cuts are decided, with its sound prepared. */
export type CutFootage = Footage &
  CutTimeline & {
    readonly sound: PreparedSound | undefined
    readonly replacement?: Replacement | undefined
    readonly ducked: Ducked | undefined
  }

/** Everything that a plan is made from. */
export type RenderSources = CutFootage & {
  /** How the clips are joined and cut without encoding, or why not; undefined if that was not to be found out. */
  readonly copy: CutChoice | undefined
  /** Captions to burn, and the texts of tracks in the file. */
  readonly captions: CaptionTrack | undefined
  readonly captionFiles: readonly CaptionFile[]
  /** Reads only the pictures of an excerpt; undefined if everything is read from its start. */
  readonly readPart?: ReadPart | undefined
  /** Warnings about anything that could not be heard, prepared or drawn as requested. */
  readonly warnings: readonly string[]
}

/** The limits of a plan. */
export type RenderCaps = {
  threads: number
  maxPixels: number
  maxOutputBytes: number
  /** Encodes picture and sound into about this many bytes, whatever quality was asked for. */
  fitBytes?: number | undefined
  /** Encodes only the picture at this quality. */
  pictureQuality?: number | undefined
  /** Encodes only the picture into about this many bytes. */
  pictureBytes?: number | undefined
  pass?: Pass | undefined
}
