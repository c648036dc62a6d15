import type { Pace, Paces } from '../../../worker/contract/job/paces.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { codecOf, type VideoCodec } from '../../../worker/contract/options/output-rates.ts'
import { countEncoded } from '../../cuts/plan/number-seams.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { frameFor } from '../../render/frame/frame-shape.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { RenderOptions } from '../../render/render-state.ts'
import { cutsWords, needsVoices } from '../../sound/sound-request.ts'
import { effortOf, type PictureLoad } from './encoding-effort.ts'

/**
 * What takes the time of a job. `units` grow with the work and contain what each job takes in any case, so that the time
 * of a short job, too, is a number of them.
 */
export type Work = { readonly kind: string; readonly units: number }

/**
 * What a unit takes on two cores, in milliseconds, until past jobs of the service tell; and how many units are the same
 * for each job. Most units are seconds of footage; those of an encode are millions of pixels of a still picture.
 */
const kinds = {
  /** All of a job whose footage is not known yet. */
  whole: { ms: 15_000, fixed: 1 },
  fetching: { ms: 150, fixed: 1 },
  measuring: { ms: 1.6, fixed: 150 },
  'measuring sound': { ms: 10, fixed: 30 },
  'measuring voices': { ms: 24, fixed: 15 },
  'measuring noise': { ms: 60, fixed: 15 },
  transcribing: { ms: 30, fixed: 30 },
  'transcribing beside': { ms: 50, fixed: 30 },
  copying: { ms: 4, fixed: 150 },
  cutting: { ms: 7, fixed: 60 },
  looking: { ms: 2.4, fixed: 60 },
  'encoding mp4': { ms: 6, fixed: 60 },
  'encoding mov': { ms: 6, fixed: 60 },
  'encoding avi': { ms: 4.5, fixed: 60 },
  'encoding webm': { ms: 36, fixed: 20 },
  'encoding hevc': { ms: 18, fixed: 40 },
  'encoding vp9': { ms: 36, fixed: 20 },
  'encoding av1': { ms: 14, fixed: 40 },
  analysing: { ms: 5_000, fixed: 1 },
  uploading: { ms: 150, fixed: 1 },
} as const
type WorkKind = keyof typeof kinds

/** How much the encodes of two films with the same pixels and bytes differ. */
const footageSpread = 0.4
/** How far off a pace may be that nobody has measured on this machine. */
const unmeasuredSpread = 0.8

export function work(kind: WorkKind, more = 0): Work {
  return { kind, units: kinds[kind].fixed + more }
}

/** Several works as one, of the kind that takes most of the time; a unit of another kind counts by what it usually takes. */
export function addWorks(works: readonly Work[]): Work | undefined {
  const msOf = ({ kind, units }: Work) => units * usualMs(kind)
  const [most] = works.toSorted((a, b) => msOf(b) - msOf(a))
  if (!most) return undefined
  const ms = works.reduce((sum, one) => sum + msOf(one), 0)
  return { kind: most.kind, units: ms / usualMs(most.kind) }
}

function usualMs(kind: string): number {
  return isKind(kind) ? kinds[kind].ms : kinds.whole.ms
}

/** The pace of a kind of work: as measured, or as usual on a machine that is as fast as the measured kinds tell. */
export function paceOf(kind: string, paces: Paces): Pace {
  const known = paces[kind]
  if (known) {
    const least = kind.startsWith('encoding') ? footageSpread : 0
    return { ms: known.ms, spread: Math.max(least, known.spread) }
  }
  const factors = Object.entries(paces).flatMap(([name, { ms }]) =>
    isKind(name) && name !== 'whole' ? [ms / kinds[name].ms] : [],
  )
  const median = factors.sort((a, b) => a - b)[Math.floor(factors.length / 2)] ?? 1
  // One kind of work says little about the others; several together show how fast the machine is.
  const factor = median ** (factors.length / (factors.length + 3))
  const ms = isKind(kind) ? usualMs(kind) * factor : kinds.whole.ms
  return { ms, spread: kind === 'whole' ? 1 : unmeasuredSpread }
}

function isKind(name: string): name is WorkKind {
  return Object.hasOwn(kinds, name)
}

export function measuringWork(options: ProcessingOptions, seconds: number): Work {
  if (options.removeNoise) return work('measuring noise', seconds)
  if (needsVoices(options)) return work('measuring voices', seconds)
  const decodes =
    options.normalizeAudio ||
    cutsWords(options) ||
    options.enableTranscription ||
    !!options.captions
  return work(decodes ? 'measuring sound' : 'measuring', seconds)
}

/** What is said is heard before the rendering if that waits for it, and beside it otherwise. */
export function hearingWork(
  options: ProcessingOptions,
  seconds: number,
): Partial<Record<'transcribing' | 'hearing' | 'analysing', Work>> {
  const { enableTranscription, enableAiAnalysis } = options
  const analysing = enableAiAnalysis ? { analysing: work('analysing') } : {}
  if (needsWordsFirst(options)) return { transcribing: work('transcribing', seconds), ...analysing }
  if (!enableTranscription && !enableAiAnalysis) return {}
  return { hearing: work('transcribing beside', seconds), ...analysing }
}

/** The cost of decoding a pixel, as a share of the cost of encoding one. */
const decodingShare = 0.3

/** How much of a film is encoded at the seams of its cuts, as most films are cut. */
const seamsShare = 0.3

/** The rendering before it is planned: encoded in its size, or copied if no option changes the pictures. */
export function unplannedWork(
  options: RenderOptions,
  source: PictureLoad,
  seconds: number,
): Work | undefined {
  const { analyzeOnly, outputFormat, compressionQuality } = options
  if (analyzeOnly) return undefined
  const { codec, width, height, averageFps } = source
  const pixels = (seconds * averageFps * width * height * (1 + decodingShare)) / 1e6
  const own = codecOf(options)
  if (codec !== own || changesPictures(options, source))
    return work(encodingKind(outputFormat, own), pixels * effortOf(source, own, compressionQuality))
  const { removeSegments = [], removeSilence } = options
  const isCut = removeSilence || removeSegments.length > 0 || cutsWords(options)
  return isCut ? work('cutting', pixels * seamsShare + seconds) : work('copying', seconds)
}

/** Encodes with the usual codec of a container are told apart by it. */
function encodingKind(format: RenderOptions['outputFormat'], codec: VideoCodec): WorkKind {
  const isUsual = codec === codecOf({ outputFormat: format })
  return isUsual || codec === 'h264' ? `encoding ${format}` : `encoding ${codec}`
}

function changesPictures(options: RenderOptions, { width, height }: PictureLoad): boolean {
  const { compressionQuality, rotate, elements = [], captions } = options
  if (compressionQuality < 100 || rotate !== 0 || captions !== undefined) return true
  const { width: asked, fps, maxBytes, maxBitrate } = options
  if ((asked ?? options.height ?? fps ?? maxBytes ?? maxBitrate) !== undefined) return true
  if (
    (options.crop ?? options.color ?? options.flip ?? options.fadeIn ?? options.fadeOut) !==
    undefined
  )
    return true
  const frame = frameFor({ width, height }, options)
  // Even sides take away one pixel at most.
  if (Math.max(Math.abs(frame.width - width), Math.abs(frame.height - height)) > 1) return true
  return elements.some(({ type }) => type !== 'audio')
}

/** All sizes of a stream, which are decoded once. */
export function ladderWork(
  rungs: readonly { readonly width: number; readonly height: number }[],
  source: PictureLoad,
  { seconds, quality }: { readonly seconds: number; readonly quality: number },
): Work {
  const decoded = decodingShare * source.width * source.height
  const size = rungs.reduce((sum, { width, height }) => sum + width * height, decoded)
  const pixels = (seconds * source.averageFps * size) / 1e6
  return work('encoding mp4', pixels * effortOf(source, 'h264', quality))
}

/** How far the bar of a rendering goes with a quick look at all pictures, before they are encoded. */
export const lookShare = 0.2

/** A quick look at the pictures that are to be rendered. */
export function lookingWork({ units }: Work): Work {
  return { kind: 'looking', units }
}

/** The rendering as planned, at a quality of the picture. */
export function renderingWork(plan: RenderPlan, source: PictureLoad, quality: number): Work {
  const { durationSeconds: seconds, cutting, row, format, codec } = plan
  const size = plan.width * plan.height + decodingShare * source.width * source.height
  if (cutting) return work('cutting', (countEncoded(cutting.groups) * size) / 1e6 + seconds)
  if (row) return work('cutting', seconds)
  if (plan.video === 'copy') return work('copying', seconds)
  const encoded = plan.averageFps * plan.width * plan.height
  const decoded = source.averageFps * source.width * source.height
  const pixels = (seconds * (encoded + decodingShare * decoded)) / 1e6
  return work(encodingKind(format, codec), pixels * effortOf(source, codec, quality))
}
