import type { MediaInput } from '../../worker/contract/job/media-job.ts'
import type { Stream, TextFile } from '../graph/filter-graph.ts'
import type { MediaFacts } from './media-facts.ts'
import type { SeenPeople } from './seen-shots.ts'

/** Options that a request may set for one file of a combined video. */
export type InputOptionName =
  | 'disableAudio'
  | 'volume'
  | 'removeSegments'
  | 'keepSegments'
  | 'transition'
  | 'fit'
export type InputOptions = Pick<MediaInput, InputOptionName>

export type FaceCover = { readonly path: string; readonly width: number; readonly height: number }

/** One source: its streams and its measurements. */
export type Clip<Asked extends InputOptionName = InputOptionName> = {
  readonly video: Stream<'video'>
  readonly audio: Stream<'audio'> | undefined
  readonly facts: MediaFacts
  readonly asked: Pick<InputOptions, Asked>
  /** Changes its colours, if the request names a table of them. */
  readonly colorTable?: TextFile | undefined
  /** The file in the job folder that says how each picture is moved, so that it does not shake. */
  readonly corrections?: string | undefined
  /** The file in the job folder with a mask of where its pictures are covered: gray pictures of this size. */
  readonly faces?: FaceCover | undefined
  /** The people seen in it, if the crop follows them. */
  readonly seen?: SeenPeople | undefined
  /** The pixels of its pictures before any of them were cropped. */
  readonly storedPixels?: number | undefined
}

/** The clips of a timeline: there is at least one. */
export type Clips = readonly [Clip, ...Clip[]]
