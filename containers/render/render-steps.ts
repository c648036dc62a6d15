import type { ProcessingOptions } from '../../worker/contract/options.ts'
import type { InputOptionName } from '../timeline/clip.ts'
import type { ElementType } from './render-state.ts'
import { cleanAudio } from './steps/clean-audio.ts'
import { cutSegments } from './steps/cut-segments.ts'
import { joinSources } from './steps/join-sources.ts'
import { mixAudio } from './steps/mix-audio.ts'
import { placeOverlay } from './steps/place-overlay.ts'
import { rotate } from './steps/rotate.ts'
import { resize } from './steps/resize.ts'
import { limitSound } from './steps/limit-sound.ts'

/** The order of this list is the order of the picture. */
export const renderSteps = [
  rotate,
  joinSources,
  cutSegments,
  cleanAudio,
  resize,
  placeOverlay,
  mixAudio,
  limitSound,
] as const

/** Read of each file by `open-clip.ts`, before all steps. */
export const openingReads = ['disableAudio'] as const

/** Read by `encoding.ts`, after all steps. */
export const encodingReads = ['outputFormat', 'compressionQuality'] as const

/** Read by the job itself, beside the rendering or once the video is finished. */
export const finishingReads = [
  'enableThumbnail',
  'enableTranscription',
  'enableAiAnalysis',
] as const

type Step = (typeof renderSteps)[number]
type ReadOption =
  Step['reads'][number] | (typeof encodingReads)[number] | (typeof finishingReads)[number]
type ReadInputOption = Step['readsOfInputs'][number] | (typeof openingReads)[number]
type ReadElementType = Step['readsOfElements'][number]

type Accounted<Names> = [Names] extends [never] ? true : { unaccounted: Names }

/** Fails to compile, naming the option, when the schema grows one that nobody reads. */
export type AllRead<Known, Read> = Accounted<Exclude<Known, Read>>

const optionsRead: AllRead<keyof ProcessingOptions, ReadOption> = true
const inputOptionsRead: AllRead<InputOptionName, ReadInputOption> = true
const elementTypesRead: AllRead<ElementType, ReadElementType> = true
void optionsRead
void inputOptionsRead
void elementTypesRead
