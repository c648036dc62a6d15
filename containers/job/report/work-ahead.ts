import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import { isHls } from '../../../worker/contract/options/outputs/output-hls.ts'
import { codecOf, type VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { isFilm, isSound, type Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { countEncoded } from '../../cuts/plan/number-seams.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { optionsOf } from '../../render/output-options.ts'
import { speakersAsked } from '../../../worker/contract/options/speakers.ts'
import { exactFrame, frameFor } from '../../render/frame/frame-shape.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { RenderOptions } from '../../render/render-state.ts'
import { cutsWords } from '../../sound/sound-request.ts'
import { picturesChecked } from '../pictures-checked.ts'
import { effortOf, loadOfAll, type FilmClips, type PictureLoad } from './encoding-effort.ts'
import {
  encodingWork,
  hasStart,
  lookingWork,
  runsWork,
  usualTime,
  work,
  type Work,
  type WorkKind,
} from './work-kinds.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

/** The whole job before its footage is known: judged by the last jobs with such a request. */
export function wholeWork(options: ProcessingOptions): Work {
  const { analyzeOnly, outputs, outputFormat } = options
  const codec = codecOf(options)
  const asked = [
    analyzeOnly
      ? 'analysis'
      : outputs
        ? formatsOf(outputs)
        : codec === 'h264'
          ? outputFormat
          : codec,
    ...(needsWordsFirst(options) || asksForTranscript(options) ? ['heard'] : []),
    ...(copiesPictures(options) ? [cutsTimeline(options) ? 'cut' : 'copied'] : []),
  ]
  return { kind: `whole ${asked.join(' ')}`, units: 1 }
}

/** A name short enough to be kept: more than three formats share one. */
function formatsOf(outputs: readonly Output[]): string {
  const formats = [...new Set(outputs.map(({ outputFormat }) => outputFormat))].sort()
  return `outputs ${formats.length > 3 ? 'of many kinds' : formats.join(' ')}`
}

/** Several works as one, of the kind that takes most of the time; units of other kinds count by their usual time. */
export function addWorks(works: readonly [Work, ...Work[]]): Work {
  const most = works.reduce((a, b) => (usualTime(b) > usualTime(a) ? b : a))
  const ms = works.reduce((sum, one) => sum + usualTime(one), 0)
  return { kind: most.kind, units: ms / usualTime({ ...most, units: 1 }) }
}

/** The films and streams of several outputs as one work. */
export function outputsWork(works: readonly Work[]): Work | undefined {
  if (works.length === 0) return undefined
  return work(
    'encoding outputs',
    withStarts(works).reduce((sum, one) => sum + usualTime(one), 0),
  )
}

/** Adds the starts and ends of programs, which no other work counts. */
function withStarts(works: readonly Work[]): Work[] {
  const [first, ...others] = works.filter(hasStart)
  return first
    ? [...works, ...others.flatMap(() => [work('starting'), work('starting')])]
    : [...works]
}

/** How much longer telling voices apart takes. */
const voicesShare = 0.22

/** Transcribing: before the rendering if that needs the words, and beside it otherwise. */
export function hearingWork(
  options: ProcessingOptions,
  seconds: number,
): Partial<Record<'transcribing' | 'hearing' | 'analysing', Work>> {
  const { enableAiAnalysis } = options
  const analysing = enableAiAnalysis ? { analysing: work('analysing') } : {}
  const units = speakersAsked(options) ? seconds * (1 + voicesShare) : seconds
  if (needsWordsFirst(options)) return { transcribing: work('transcribing', units), ...analysing }
  if (!asksForTranscript(options) && !enableAiAnalysis) return {}
  return { hearing: work('transcribing beside', units), ...analysing }
}

/** The cost of decoding a pixel, as a share of the cost of encoding one. */
const decodingShare = 0.3

/** The cost of captions on a pixel, if a pixel of a still picture costs 1. */
const captionsCost = 0.2

/** The share of a film that is encoded at the seams of its cuts, in most films. */
const seamsShare = 0.3
/** How many seconds are encoded for one cut, up to the next key picture. */
const seamSeconds = 2

type Rendering = {
  readonly [Name in 'rendering' | 'looking' | 'runs' | 'checking']?: Work | undefined
}

/** The rendering before it is planned: encoded at its size, or copied if no option changes the pictures. */
export function unplannedWork(
  options: RenderOptions,
  source: PictureLoad,
  seconds: number,
): Rendering {
  const { analyzeOnly, outputFormat, outputs, compressionQuality } = options
  if (analyzeOnly) return {}
  if (outputs) {
    const all = outputs.flatMap((output) => {
      const { outputFormat: made } = output
      if (isHls(made)) return [ladderWork([source], source, seconds)]
      if (!isFilm(made)) return [otherWork(made, source, seconds)]
      const asked = optionsOf(options, output)
      const { rendering, looking, checking } = unplannedWork(asked, source, seconds)
      return [rendering, looking, checking].flatMap((one) => one ?? [])
    })
    return { rendering: outputsWork(all) }
  }
  const { codec, width, height, averageFps } = source
  const { removeSegments = [] } = options
  const left = secondsAhead(options, seconds)
  const own = codecOf(options)
  const isEncoded = codec !== own || changesPictures(options, source)
  const video = isEncoded ? ('encode' as const) : ('copy' as const)
  const film = { ...source, video, durationSeconds: left }
  const checking = checkingWork(film, width * height, effortOf(source, 'none'))
  if (isEncoded) {
    const frame = frameAsked(options, source)
    const size = frame.width * frame.height + decodingShare * width * height
    const effort = effortOf(source, own, compressionQuality) + (options.captions ? captionsCost : 0)
    const pictures = left * averageFps
    const pixels = ((pictures * size) / 1e6) * effort
    const rendering = encodingWork(encodingKind(outputFormat, own), pixels, pictures)
    const whole = { ...options, compressionQuality: 100 }
    const isOnlyCompressed = compressionQuality < 100 && !changesPictures(whole, source)
    const looks = canShareOut(own) && !isOnlyCompressed && left <= mostLookedAtSeconds
    if (isOnlyCompressed) return { rendering, checking }
    const looking = looks && { looking: lookingWork(rendering) }
    return { rendering, ...looking, runs: runsWork(rendering, looks), checking }
  }
  if (!cutsTimeline(options)) return { rendering: work('copying', seconds), checking }
  const most = seconds * seamsShare
  const isByHand = !options.removeSilence && !cutsWords(options)
  const seams = isByHand ? Math.min(most, removeSegments.length * seamSeconds) : most
  const pixels = (seams * averageFps * width * height * (1 + decodingShare)) / 1e6
  return { rendering: work('cutting', pixels + left), checking }
}

/** From the last key picture of a source, about this many pictures are decoded before one that is compared. */
const behindKeys = 60
/** The cost of decoding a pixel: a fixed part, and one that grows with its effort. */
const decodingCost = { any: 0.2, ofEffort: 0.55 } as const

/** The work after a film is made: its checks, which remake some pictures from its sources, and its still. */
function checkingWork(
  {
    video,
    averageFps,
    durationSeconds,
  }: Pick<RenderPlan, 'video' | 'averageFps' | 'durationSeconds'>,
  sourcePixels: number,
  effort: number,
): Work {
  const pictures = durationSeconds * averageFps
  const seen = picturesChecked(pictures, sourcePixels, video === 'copy')
  const decoded = video === 'copy' ? seen : Math.min(pictures, seen + 2 * behindKeys)
  const cost = decodingCost.any + decodingCost.ofEffort * effort
  return work('checking', (decoded * sourcePixels * cost) / 1e6)
}

/** The same for a planned film. */
export function checksOf(plan: RenderPlan, clips: FilmClips): Work {
  const { decoded, effort } = loadOfAll(clips, 'none', 100)
  return checkingWork(plan, decoded, effort)
}

/** The length of the result, as far as the request tells. */
function secondsAhead(options: RenderOptions, seconds: number): number {
  const { removeSegments = [], keepSegments, trim, speed = 1 } = options
  const lengthOf = (spans: typeof removeSegments) =>
    spans.reduce((sum, one) => sum + Math.max(0, Math.min(seconds, one.endTime) - one.startTime), 0)
  const named = keepSegments ? lengthOf(keepSegments) : seconds - lengthOf(removeSegments)
  const left = named - (trim?.start ?? 0) - (trim?.end ?? 0)
  return Math.max(0.1, left) / speed
}

/** The size of the result, regardless of whether its sides are even. */
function frameAsked(options: RenderOptions, { width, height }: PictureLoad) {
  const upright = options.rotate % 180 === 0
  const turned = upright ? { width, height } : { width: height, height: width }
  return exactFrame(frameFor(turned, options), options)
}

function cutsTimeline(options: ProcessingOptions): boolean {
  const { removeSegments = [], keepSegments, trim, removeSilence } = options
  const isAsked = removeSegments.length > 0 || keepSegments !== undefined || trim !== undefined
  return isAsked || removeSilence || cutsWords(options)
}

/** Containers with several codecs have a kind for each but the usual one. */
function encodingKind(format: RenderOptions['outputFormat'], codec: VideoCodec): WorkKind {
  const isUsual = codec === codecOf({ outputFormat: format })
  return isUsual || codec === 'h264' ? `encoding ${format}` : `encoding ${codec}`
}

function changesPictures(options: RenderOptions, { width, height }: PictureLoad): boolean {
  if (!copiesPictures(options)) return true
  const frame = frameFor({ width, height }, options)
  // Even sides take away one pixel at most.
  return Math.max(Math.abs(frame.width - width), Math.abs(frame.height - height)) > 1
}

/** Whether pictures of the right shape may be copied. */
function copiesPictures(options: RenderOptions): boolean {
  const { compressionQuality, rotate, elements = [], captions } = options
  if (compressionQuality < 100 || rotate !== 0 || captions !== undefined) return false
  const { width: asked, fps, maxBytes, maxBitrate, speed = 1 } = options
  if (speed !== 1 || options.stabilize || options.blurFaces) return false
  if ((asked ?? options.height ?? fps ?? maxBytes ?? maxBitrate) !== undefined) return false
  const { crop, color, flip, fadeIn, fadeOut } = options
  if ((crop ?? color ?? flip ?? fadeIn ?? fadeOut) !== undefined) return false
  return elements.every(({ type }) => type === 'audio')
}

/**
 * Moving pictures need several programs one after the other, such as one that chooses their colours. `gif` and `webp`: for a
 * million of their pixels; those of a phone's film took 160 ms of a processor in a GIF.
 */
const movingUnits = { programs: 250, gif: 45, webp: 30 } as const

/**
 * The work of an output without a film: single pictures are found quickly; for the others, all are decoded. `pixels`: millions of
 * them in all pictures of an output that moves, once that is known.
 */
export function otherWork(
  format: Output['outputFormat'],
  source: PictureLoad,
  seconds: number,
  pixels = 0,
): Work {
  if (isSound(format)) return work('encoding sound', seconds)
  const megapixels = (source.width * source.height) / 1e6
  const isSingle = format === 'jpg' || format === 'png'
  const isMoving = format === 'gif' || format === 'webp'
  const moving = isMoving ? movingUnits.programs + movingUnits[format] * pixels : 0
  return work(
    'encoding pictures',
    isSingle ? megapixels : moving + decodingShare * seconds * source.averageFps * megapixels,
  )
}

/** All sizes of a stream, which is decoded once. */
export function ladderWork(rungs: readonly Size[], source: PictureLoad, seconds: number): Work {
  const decoded = decodingShare * source.width * source.height
  const size = rungs.reduce((sum, { width, height }) => sum + width * height, decoded)
  const pixels = (seconds * source.averageFps * size) / 1e6
  return work('encoding hls', pixels * effortOf(source, 'h264'))
}

/** How far a quick look at all pictures moves the bar of a rendering, before they are encoded. */
export const lookShare = 0.35
/** The chance of another run, until an encode has written enough to be judged. */
export const unknownAgain = 0.5
/** In a longer film, the first seconds show whether it becomes too large, sooner than a look at the whole. */
export const mostLookedAtSeconds = 30

/** The rendering as planned. */
export function renderingWork(plan: RenderPlan, clips: FilmClips, quality: number): Work {
  const { durationSeconds: seconds, cutting, row, format, codec, steps } = plan
  const { decoded, pixelRate, effort } = loadOfAll(clips, codec, quality)
  const size = plan.width * plan.height + decodingShare * decoded
  if (cutting) return work('cutting', (countEncoded(cutting.groups) * size) / 1e6 + seconds)
  if (row) return work('joining', seconds)
  if (plan.video === 'copy') {
    return work(plan.audio === 'encode' ? 'encoding sound' : 'copying', seconds)
  }
  const encoded = plan.averageFps * plan.width * plan.height
  const pixels = (seconds * (encoded + decodingShare * pixelRate)) / 1e6
  const drawn = steps.includes('burn-captions') ? captionsCost : 0
  const pictures = seconds * plan.averageFps
  return encodingWork(encodingKind(format, codec), pixels * (effort + drawn), pictures)
}
