import type { OptionName, ProcessingOptions } from '../../worker/contract/options.ts'
import type { InputOptionName } from './render-state.ts'
import { joinSources } from './steps/join-sources.ts'

/** The order of this list is the order of the picture. */
export const renderSteps = [joinSources] as const

/** Read by `encoding.ts`, after all steps. */
export const encodingReads = ['outputFormat', 'compressionQuality'] as const

/** Known to the contract, and not to this version. A step that reads one of them takes it off this list. */
export const notYetApplied = [
  'removeSilence',
  'normalizeAudio',
  'removeNoise',
  'enableTranscription',
  'enableAiAnalysis',
  'enableThumbnail',
  'aspectRatio',
  'resizeMode',
  'backgroundColor',
  'removeSegments',
  'elements',
] as const satisfies readonly OptionName[]

/** The same for what may be asked of a single file. */
export const inputOptionsNotYetApplied = [
  'removeSegments',
] as const satisfies readonly InputOptionName[]

type Step = (typeof renderSteps)[number]
type ReadOption = Step['reads'][number] | (typeof encodingReads)[number]
type ReadInputOption = Step['readsOfInputs'][number]

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
void optionsAccounted
void inputOptionsAccounted

/** Every option that some step or the encoding reads. */
export const appliedOptions: ReadonlySet<OptionName> = new Set<OptionName>([
  ...renderSteps.flatMap((step) => step.reads),
  ...encodingReads,
])

export const appliedInputOptions: ReadonlySet<InputOptionName> = new Set<InputOptionName>(
  renderSteps.flatMap((step) => step.readsOfInputs),
)
