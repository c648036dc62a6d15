import type { MediaInput } from '../../worker/contract/media-job.ts'
import type { OptionName, ProcessingOptions } from '../../worker/contract/options.ts'
import type { Stream } from '../ffmpeg/filter-graph.ts'
import type { FrameRate } from '../ffmpeg/frame-rate.ts'
import type { MediaFacts } from '../ffmpeg/media-facts.ts'

/** What may be asked of one file of a combined video. */
export type InputOptionName = 'disableAudio' | 'removeSegments'
export type InputOptions = Pick<MediaInput, InputOptionName>

/** One source: its streams and what was measured of it. */
export type Clip<Asked extends InputOptionName = InputOptionName> = {
  readonly video: Stream<'video'>
  readonly audio: Stream<'audio'> | undefined
  readonly facts: MediaFacts
  readonly asked: Pick<InputOptions, Asked>
}

/**
 * What the steps so far have produced. The picture is always upright, with square pixels, 8-bit, limited range and
 * standard dynamic range. Geometry travels with it, so the order of the steps is the only order.
 */
export type RenderState<Asked extends InputOptionName = InputOptionName> = {
  readonly clips: readonly Clip<Asked>[]
  readonly video: Stream<'video'>
  readonly audio: Stream<'audio'> | undefined
  readonly width: number
  readonly height: number
  /** The steady rate it is best shown at; pictures a second really there are `averageFps`. */
  readonly frameRate: FrameRate
  readonly averageFps: number
  readonly hasConstantRate: boolean
  readonly durationSeconds: number
  /** What was asked and could not be honoured to the letter. */
  readonly warnings: readonly string[]
}

export type RenderStep<
  Name extends OptionName = OptionName,
  Asked extends InputOptionName = InputOptionName,
> = {
  readonly name: string
  readonly reads: readonly Name[]
  readonly readsOfInputs: readonly Asked[]
  apply(state: RenderState, options: ProcessingOptions): RenderState
}

type StepDefinition<Name extends OptionName, Asked extends InputOptionName> = {
  name: string
  reads: readonly Name[]
  readsOfInputs?: readonly Asked[]
  apply(state: RenderState<Asked>, options: Pick<ProcessingOptions, Name>): RenderState<Asked>
}

/**
 * A step sees only the options it names; `render-steps.ts` checks that every option is named by some step or listed as
 * not yet applied. A step begins with its own "nothing to do", and then returns the state it was given.
 */
export function renderStep<
  const Name extends OptionName,
  const Asked extends InputOptionName = never,
>(definition: StepDefinition<Name, Asked>): RenderStep<Name, Asked> {
  const { name, reads, readsOfInputs = [] } = definition
  return {
    name,
    reads,
    readsOfInputs,
    apply: (state, options) => ({
      ...state,
      ...definition.apply(state, options),
      clips: state.clips,
    }),
  }
}
