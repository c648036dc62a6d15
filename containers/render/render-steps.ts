import type { OptionName, ProcessingOptions } from '../../worker/contract/options.ts'
import type { ElementType, InputOptionName } from './render-state.ts'
import { cleanAudio } from './steps/clean-audio.ts'
import { cutSegments } from './steps/cut-segments.ts'
import { joinSources } from './steps/join-sources.ts'
import { mixAudio } from './steps/mix-audio.ts'
import { placeOverlay } from './steps/place-overlay.ts'
import { resize } from './steps/resize.ts'
import { limitSound } from './steps/limit-sound.ts'

/** The order of this list is the order of the picture. */
export const renderSteps = [
  joinSources,
  cutSegments,
  cleanAudio,
  resize,
  placeOverlay,
  mixAudio,
  limitSound,
] as const

/** Read by `encoding.ts`, after all steps. */
export const encodingReads = ['outputFormat', 'compressionQuality'] as const

/** Read by the job itself, beside the rendering or once the video is finished. */
export const finishingReads = [
  'enableThumbnail',
  'enableTranscription',
  'enableAiAnalysis',
] as const

/** Known to the contract, and not to this version. A step that reads one of them takes it off this list. */
export const notYetApplied = [] as const satisfies readonly OptionName[]

/** The same for what may be asked of a single file. */
export const inputOptionsNotYetApplied = [] as const satisfies readonly InputOptionName[]

/** The same for the types of `elements`. */
export const elementTypesNotYetApplied = [] as const satisfies readonly ElementType[]

type Step = (typeof renderSteps)[number]
type ReadOption =
  Step['reads'][number] | (typeof encodingReads)[number] | (typeof finishingReads)[number]
type ReadInputOption = Step['readsOfInputs'][number]
type ReadElementType = Step['readsOfElements'][number]

/** The names nobody accounts for, or that are both read and listed as not applied; `never` when all is well. */
export type Unaccounted<Known, Read, Listed> = Exclude<Known, Read | Listed> | Extract<Read, Listed>

type Accounted<Names> = [Names] extends [never] ? true : { unaccounted: Names }

/** Fails to compile, naming the option, when the schema grows one that is neither read nor listed. */
const optionsAccounted: Accounted<
  Unaccounted<keyof ProcessingOptions, ReadOption, (typeof notYetApplied)[number]>
> = true
const inputOptionsAccounted: Accounted<
  Unaccounted<InputOptionName, ReadInputOption, (typeof inputOptionsNotYetApplied)[number]>
> = true
const elementTypesAccounted: Accounted<
  Unaccounted<ElementType, ReadElementType, (typeof elementTypesNotYetApplied)[number]>
> = true
void optionsAccounted
void inputOptionsAccounted
void elementTypesAccounted

/** Every option that is read by somebody. */
export const appliedOptions: ReadonlySet<OptionName> = new Set<OptionName>([
  ...renderSteps.flatMap((step): readonly OptionName[] => step.reads),
  ...encodingReads,
  ...finishingReads,
])

export const appliedInputOptions: ReadonlySet<InputOptionName> = new Set<InputOptionName>(
  renderSteps.flatMap((step): readonly InputOptionName[] => step.readsOfInputs),
)

export const appliedElementTypes: ReadonlySet<ElementType> = new Set<ElementType>(
  renderSteps.flatMap((step): readonly ElementType[] => step.readsOfElements),
)
