import { cutPicture } from '../cuts/plan/cutting.ts'
import type { Cutting } from '../cuts/cut-model.ts'
import type { Clip } from '../timeline/clip.ts'
import { chooseRow, type ClipRow, type RowChoice } from '../cuts/plan/choose-row.ts'
import type { CutChoice } from '../cuts/plan/measure-cutting.ts'
import { openSound } from '../sound/prepared-sound.ts'
import { evenFloor, isSameSize } from './frame/frame-shape.ts'
import type { CutFootage, RenderSources } from './render-sources.ts'
import type { RenderOptions, RenderState } from './render-state.ts'
import { sayChanges, whyNotStored } from './output/why-encoded.ts'
import { renderSteps, type RenderStep } from './render-steps.ts'
import { cutSegments } from './steps/cut-segments.ts'
import { joinSources } from './steps/join-sources.ts'
import { standardMatrix } from './color/standard-picture.ts'
import { isOutlasted } from './elements/without-gaps.ts'

/** Whether sources may be copied. Some cannot, although their codecs suggest it; `forbidden` says why they are encoded. */
export type Copying =
  | 'allowed'
  | {
      readonly forbidden: string
      /** Whether a copy was made and differed from its source. */
      readonly hasFailed?: true
    }

type Applied = {
  readonly state: RenderState
  /** The names of the steps that changed something. */
  readonly applied: readonly string[]
  /** The joined pictures of several clips, if they are copied as stored. */
  readonly row: ClipRow | undefined
  /** How the clips are joined and cut as they are stored. */
  readonly cutting: Cutting | undefined
  readonly untouched: { readonly video: boolean; readonly audio: boolean }
  /** Why the pictures cannot be copied, joined or cut without encoding; undefined if nothing prevents it. */
  readonly whyEncoded: string | undefined
}

/** Applies every step in turn. Clips that fit together are joined as stored unless a step changes their pictures. */
export function applyOptions(
  sources: RenderSources,
  options: RenderOptions,
  copying: Copying,
): Applied {
  const { clips, shaped } = sources
  const choice = copyFor(sources, options, copying)
  const row = 'row' in choice ? choice.row : undefined
  const cutting = 'cutting' in choice ? choice.cutting : undefined
  const copied = row?.picture ?? (cutting && cutPicture(cutting))
  const source = startOf(sources, { row: row?.picture, cut: cutting && copied })
  const { state, applied, changing } = applySteps(source, options)
  const changes = [...stepsNamed(shaped.applied), ...changing]
  if (copied && state.video !== copied) {
    return applyOptions(sources, options, { forbidden: changedBy(changes, options) })
  }
  return {
    ...{ state, row, cutting, applied: [...shaped.applied, ...applied] },
    untouched: {
      video: state.video === (copied ?? clips[0].video),
      audio: hasOwnSound(sources) && state.audio === source.audio,
    },
    whyEncoded: 'why' in choice ? choice.why : whyOne(clips[0], options, changes),
  }
}

/** The sound of the film alone: its pictures are not joined or cut, because nobody will see them. */
export function soundOfOptions(
  sources: RenderSources,
  options: RenderOptions,
): { readonly state: RenderState; readonly isUntouched: boolean } {
  const { video } = sources.clips[0]
  const source = startOf(sources, { row: video, cut: video })
  const { state } = applySteps(source, options)
  const isAlone = sources.clips.length === 1
  return {
    state,
    isUntouched: isAlone && hasOwnSound(sources) && state.audio === source.audio,
  }
}

/** These only decide which pictures are shown, and if a copy can show the same ones, it does. */
const choosing: readonly RenderStep[] = [joinSources, cutSegments]

const lowQuality = 'compressionQuality is below 100'

/** Why a single file is not copied. That it is cut is the reason only if nothing else is. */
function whyOne(
  { facts }: Clip,
  options: RenderOptions,
  changes: readonly RenderStep[],
): string | undefined {
  const { compressionQuality, outputFormat } = options
  if (changes.some((step) => !choosing.includes(step))) return changedBy(changes, options)
  if (compressionQuality < 100) return lowQuality
  const stored = whyNotStored(facts, outputFormat)
  return stored ?? (changes.length > 0 ? changedBy(changes, options) : undefined)
}

function stepsNamed(names: readonly string[]): readonly RenderStep[] {
  return renderSteps.filter(({ name }) => names.includes(name))
}

/** Options that say how the picture fits a shape; the option of the shape is named in their place. */
const ofShape: readonly string[] = ['resizeMode', 'backgroundColor']

function changedBy(changes: readonly RenderStep[], options: RenderOptions): string {
  const others = changes.filter((step) => !choosing.includes(step))
  if (others.length === 0) return 'its pictures are cut'
  const named = others.flatMap(({ reads }) => reads.filter((name) => isAsked(options[name])))
  return sayChanges([...new Set(named)].filter((name) => !ofShape.includes(name)))
}

function isAsked(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== false && value !== 'original'
}

/** Whether the options leave the pictures as they are, apart from which of them are shown. */
export function keepsPictures(footage: CutFootage, options: RenderOptions): boolean {
  const { video } = footage.clips[0]
  const start = startOf({ ...footage, captions: undefined, warnings: [] }, { cut: video })
  const { state } = applySteps(start, options)
  return footage.shaped.applied.length === 0 && state.video === video
}

/** How the pictures can be copied although there are several clips, or although they are cut. */
function copyFor(
  { shaped: { clips, applied }, timeline, packings, joints, copy }: RenderSources,
  options: RenderOptions,
  copying: Copying,
): RowChoice | CutChoice | Record<string, never> {
  const { compressionQuality, outputFormat } = options
  if (copying !== 'allowed') return { why: copying.forbidden }
  if (clips.length === 1 && !copy) return {}
  if (applied.length > 0) return { why: changedBy(stepsNamed(applied), options) }
  if (compressionQuality < 100) return { why: lowQuality }
  if (!copy && joints.length > 0) return { why: 'clips lead into each other' }
  return copy ?? chooseRow({ clips, timeline, packings }, outputFormat)
}

function applySteps(source: RenderState, options: RenderOptions) {
  const applied: string[] = []
  const changing: RenderStep[] = []
  const state = renderSteps.reduce((before, step) => {
    const after = step.apply(before, options)
    if (after.video !== before.video) changing.push(step)
    if (after.video !== before.video || after.audio !== before.audio) applied.push(step.name)
    return after
  }, source)
  if (!isSameSize(evenFloor(state), state.frame)) {
    throw new Error(`The steps ${applied.join(', ')} made another size than that of the frame`)
  }
  return { state, applied, changing }
}

/** Whether the sound can be read from its source: it was prepared, and came out unchanged. */
function hasOwnSound({ sound, replacement }: CutFootage): boolean {
  return replacement === undefined && (sound === undefined || sound.isUnchanged)
}

function startOf(
  sources: CutFootage & Pick<RenderSources, 'captions' | 'readPart' | 'warnings'>,
  { row, cut }: Partial<Pick<RenderState, 'row' | 'cut'>>,
): RenderState {
  const { timeline, removed, joints, elementMedia, ducked, captions, readPart, warnings } = sources
  const { replacement, sound } = sources
  const { clips, frame } = sources.shaped
  const [first] = clips
  const { width, height, frameRate, averageFps, hasConstantRate, hasGaps } = first.facts.video
  return {
    clips,
    timeline,
    row,
    cut,
    video: first.video,
    audio: replacement?.audio ?? (sound && !sound.isUnchanged ? openSound(sound) : first.audio),
    sound,
    isReplaced: replacement !== undefined,
    removed,
    joints,
    ceilingDb: undefined,
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
    drawn: [],
    readPart,
    excerpt: undefined,
    colorMatrix: standardMatrix(first.facts.video),
    durationSeconds: first.facts.durationSeconds,
    warnings,
  }
}
