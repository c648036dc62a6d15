import type { ProcessingOptions } from '../../worker/contract/options.ts'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import { clippingCeilingDb } from '../sound/limit-peaks.ts'
import { nothingRemoved } from '../timeline/list-cuts.ts'
import { openSound, type PreparedSound } from '../sound/prepared-sound.ts'
import type { Clip } from '../timeline/clip.ts'
import { chooseRow, type Row, type RowChoice } from './copy-row.ts'
import type { RenderState } from './render-state.ts'
import { renderSteps } from './render-steps.ts'
import { standardMatrix } from './standard-picture.ts'

/** What was found beside the clips. */
export type Measured = {
  readonly sound?: PreparedSound | undefined
  readonly elementMedia?: RenderState['elementMedia']
  /** How the picture of each clip is stored, where a join may copy them. */
  readonly packings?: readonly Packing[] | undefined
}

/** Some sources cannot be copied although their codecs say so: then they are encoded all the same, and here is why. */
export type Copying = 'allowed' | { readonly forbidden: string }

type Clips = readonly [Clip, ...Clip[]]
type Grounds = { readonly copying: Copying; readonly measured: Measured }

export type Applied = {
  readonly state: RenderState
  /** The names of the steps that did something. */
  readonly applied: readonly string[]
  /** The pictures of several clips, where they are kept as they are stored. */
  readonly row: Row | undefined
  readonly untouched: { readonly video: boolean; readonly audio: boolean }
  /** Why several clips are no row, or a copy is forbidden. */
  readonly whyEncoded: string | undefined
}

/** Every step in turn. Clips that fit together are joined as they are stored if no later step wants their pictures. */
export function applyOptions(clips: Clips, options: ProcessingOptions, grounds: Grounds): Applied {
  const choice = rowFor(clips, options, grounds)
  const row = 'row' in choice ? choice.row : undefined
  const source = startOf(clips, grounds.measured, row)
  const { state, applied } = applySteps(source, options)
  if (row && state.video !== row.picture) {
    const copying = { forbidden: 'an option changes the picture' }
    return applyOptions(clips, options, { ...grounds, copying })
  }
  return {
    ...{ state, applied, row },
    untouched: {
      video: state.video === (row?.picture ?? source.video),
      audio: !grounds.measured.sound && state.audio === source.audio,
    },
    whyEncoded: 'why' in choice ? choice.why : undefined,
  }
}

function rowFor(
  clips: Clips,
  { compressionQuality, outputFormat }: ProcessingOptions,
  { copying, measured }: Grounds,
): RowChoice | Record<string, never> {
  if (copying !== 'allowed') return { why: copying.forbidden }
  if (clips.length === 1) return {}
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
  return { state, applied }
}

function startOf(
  clips: Clips,
  { sound, elementMedia = [] }: Measured,
  row: Row | undefined,
): RenderState {
  const [first] = clips
  const { width, height, frameRate, averageFps, hasConstantRate, hasGaps } = first.facts.video
  return {
    clips,
    row: row?.picture,
    video: first.video,
    audio: sound ? openSound(sound) : first.audio,
    sound,
    removed: nothingRemoved,
    ceilingDb: sound?.isDownmix ? clippingCeilingDb : undefined,
    width,
    height,
    frameRate,
    averageFps,
    hasConstantRate,
    hasGaps,
    elementMedia,
    colorMatrix: standardMatrix(first.facts.video),
    durationSeconds: first.facts.durationSeconds,
    warnings: sound?.warnings ?? [],
  }
}
