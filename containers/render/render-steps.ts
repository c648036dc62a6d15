import type { InputOptionName } from '../timeline/clip.ts'
import type { ElementType, RenderOptions } from './render-state.ts'
import { adjustColor } from './steps/adjust-color.ts'
import { blurFaces } from './steps/blur-faces.ts'
import { burnCaptions } from './steps/burn-captions.ts'
import { changeSpeed } from './steps/change-speed.ts'
import { cleanAudio } from './steps/clean-audio.ts'
import { cutSegments } from './steps/cut-segments.ts'
import { crop } from './steps/crop.ts'
import { fadeFilm } from './steps/fade-film.ts'
import { flip } from './steps/flip.ts'
import { filmSound } from './steps/film-sound.ts'
import { joinSources } from './steps/join-sources.ts'
import { mixAudio } from './steps/mix-audio.ts'
import { placeOverlay } from './steps/place-overlay.ts'
import { reframe } from './steps/reframe.ts'
import { rotate } from './steps/rotate.ts'
import { resize } from './steps/resize.ts'
import { setRate } from './steps/set-rate.ts'
import { limitSound } from './steps/limit-sound.ts'
import { stabilize } from './steps/stabilize.ts'
import { takeExcerpt } from './steps/take-excerpt.ts'

/** The steps change the picture in this order. */
export const renderSteps = [
  blurFaces,
  stabilize,
  rotate,
  crop,
  adjustColor,
  flip,
  reframe,
  joinSources,
  cutSegments,
  cleanAudio,
  changeSpeed,
  filmSound,
  setRate,
  resize,
  placeOverlay,
  fadeFilm,
  burnCaptions,
  mixAudio,
  limitSound,
  takeExcerpt,
] as const

/** `open-clip.ts` reads these for each file, before all steps. */
type OpeningReads = 'disableAudio' | 'volume'

/** These options decide, after all steps, how pictures and sounds are coded, and into how many bytes. */
export const encodingReads = [
  ...(['outputFormat', 'compressionQuality'] as const),
  ...(['videoCodec', 'maxBytes', 'maxBitrate'] as const),
] as const

/** These options cut words, before the plan is made. */
export const cuttingReads = [
  ...(['removeText', 'keepText', 'removeFillers'] as const),
  ...(['removeSpeakers', 'keepSpeakers'] as const),
] as const

/** These options cut or cover words, before the plan is made. */
export const hearingReads = [...cuttingReads, ...(['bleep', 'bleepWith'] as const)] as const

/** The job itself reads these, in place of the rendering, during it or after it. */
export const finishingReads = [
  'analyzeOnly',
  'background',
  'waveform',
  'outputs',
  'split',
  'enableThumbnail',
  'enableTranscription',
  'speakers',
  'vocabulary',
  'suggestClips',
  'clips',
  'chapters',
  'enableAiAnalysis',
] as const

export type RenderStep = (typeof renderSteps)[number]
type ReadOption =
  | RenderStep['reads'][number]
  | (typeof encodingReads)[number]
  | (typeof hearingReads)[number]
  | (typeof finishingReads)[number]
type ReadInputOption = RenderStep['readsOfInputs'][number] | OpeningReads
type Accounted<Names> = [Names] extends [never] ? true : { unaccounted: Names }

/** Does not compile, and names the option, if the schema has an option that nothing reads. */
export type AllRead<Known, Read> = Accounted<Exclude<Known, Read>>

const optionsRead: AllRead<keyof RenderOptions, ReadOption> = true
const inputOptionsRead: AllRead<InputOptionName, ReadInputOption> = true
const elementTypesRead: AllRead<ElementType, RenderStep['readsOfElements'][number]> = true
void optionsRead
void inputOptionsRead
void elementTypesRead
