import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import { codecOf, type VideoCodec } from '../../worker/contract/options/outputs/output-rates.ts'
import { countSeams } from '../cuts/plan/cutting.ts'
import type { Cutting } from '../cuts/cut-model.ts'
import type { ClipRow } from '../cuts/plan/choose-row.ts'
import { canCopyVideo } from '../cuts/plan/copied-codecs.ts'
import { JobError } from '../errors/job-error.ts'
import { type CompiledCommand, compileArgs } from '../graph/compile-args.ts'
import { shareGraph } from '../graph/share-graph.ts'
import type { PreparedSound } from '../sound/prepared-sound.ts'
import type { Clip } from '../timeline/clip.ts'
import { describeCuts, type CutTimeline } from '../timeline/list-cuts.ts'
import { fpsOf, type FrameRate } from '../timeline/frame-rate.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { type Scan, progressiveScan } from '../timeline/scan-facts.ts'
import { type Copying, applyOptions } from './apply-options.ts'
import { type CaptionFile, captionTracks } from './captions/embed-captions.ts'
import { isStandardPicture } from './color/standard-picture.ts'
import { type ByteBudget, byteBudget, isKeptByRate } from './output/byte-budget.ts'
import { drawnWithin } from './output/drawn-bytes.ts'
import { canCopyAudio, isWidelyPlayed, limitsOf, muxingOf } from './output/encoding.ts'
import { whyRecoded } from './output/why-encoded.ts'
import type { CodingInput } from './output/fit-rates.ts'
import { copiedPicture, planPicture } from './output/plan-picture.ts'
import { type PlannedSound, planSound } from './output/plan-sound.ts'
import type { RenderCaps, RenderSources } from './render-sources.ts'
import type { Excerpt, RenderOptions, RenderState } from './render-state.ts'
import { soundOf } from '../sound/standard-sound.ts'
import { onlyExcerpt } from './steps/take-excerpt.ts'
import { thousandths } from '../numbers/thousandths.ts'
import type { OutputTrack } from '../graph/output-track.ts'

/** `begins`: the first picture of each part. */
type DividedPlan = { readonly begins: readonly number[] }

export type RenderPlan = {
  readonly format: ProcessingOptions['outputFormat']
  /** What its pictures are encoded with, unless they are copied. */
  readonly codec: VideoCodec
  readonly video: 'copy' | 'encode'
  readonly audio: 'copy' | 'encode' | 'none'
  /** Bits a second of its sound. */
  readonly soundBits: number
  readonly tracks: readonly OutputTrack[]
  readonly width: number
  readonly height: number
  /** The steady rate of the result, or the one that comes nearest. */
  readonly frameRate: FrameRate
  /** False if the pictures of the result have individual times. */
  readonly hasConstantRate: boolean
  readonly averageFps: number
  readonly durationSeconds: number
  /** When the picture ends, if the sources are only copied. */
  readonly pictureSeconds: number
  /** The clips of a join, if their pictures are copied. */
  readonly row: ClipRow | undefined
  /** How the sources are joined and cut, if their pictures are copied between the cuts. */
  readonly cutting: Cutting | undefined
  /** Why the pictures are encoded although they might have been copied. */
  readonly whyEncoded: string | undefined
  /** Whether the pictures were copied before, and the copy differed from its source. The service counts these. */
  readonly copyFailed: boolean
  /** Whether the pictures are encoded in parts, or why not; undefined until that is decided. */
  readonly parts?: DividedPlan | { readonly whole: string } | undefined
  /** Whether they were encoded in parts before, and the result proved wrong. The service counts these. */
  readonly partsFailed?: boolean
  /** How the lines of the result belong together; only a copy may be interlaced. */
  readonly scan: Scan
  /** Whether the pictures of a source declare their own rotation: those of a copy do too. */
  readonly turnsItself: boolean
  /** A summary of the measured sources. */
  readonly sources: readonly ReturnType<typeof summarise>[]
  readonly steps: readonly string[]
  /** What was cut, where, and why. */
  readonly cuts: ReturnType<typeof describeCuts>
  /** The measurements of the sound and its changes; null if it is not changed. */
  readonly sound: SoundSummary | null
  readonly warnings: readonly string[]
  /** The size of a source that is only compressed: the result must not be larger. */
  readonly mostBytes: number | undefined
  /** Replaces a result that became larger than its source: the copied picture is better and smaller. */
  readonly remux: Remux | undefined
  /** The part of the film that it shows; undefined if it shows all of it. */
  readonly excerpt: Excerpt | undefined
  /** The budget that keeps an encode no larger than its sources. */
  readonly budget: ByteBudget | undefined
}

export type Remux = Pick<RenderPlan, 'audio' | 'tracks'> & {
  /** A result below this size cannot be larger than the remux. */
  readonly leastBytes: number
}

/** Turns options and measured facts into the work for ffmpeg, without side effects. */
export function planRender(
  sources: RenderSources,
  options: RenderOptions,
  caps: RenderCaps,
  asked: Copying = 'allowed',
): RenderPlan {
  const { clips, captionFiles } = sources
  const recodes = whyRecoded(clips, options)
  const copying = asked === 'allowed' && recodes !== undefined ? { forbidden: recodes } : asked
  const changed = applyOptions(sources, options, copying)
  const { state, applied, row, cutting, untouched, whyEncoded } = changed
  refuseEndless(state, caps.maxPixels)
  const input = { facts: clips[0].facts, options, caps }
  // An excerpt has the channels of its source, unless something else was done to them.
  const left = state.excerpt?.hasOwnSound ? 'shortened' : 'changed'
  const audio = planSound(state, input, untouched.audio ? 'untouched' : left)
  const channels = state.isReplaced ? undefined : audio?.codedChannels
  const picture = { ...input, ofSound: audio?.bits ?? 0 }
  const video = planPicture(state, picture, untouched.video && copying === 'allowed')
  const captions = captionTracks(captionFiles, options.outputFormat)
  const isOnlyCompressed = untouched.video && untouched.audio && options.compressionQuality < 100
  return {
    format: options.outputFormat,
    codec: codecOf(options),
    video: video.coding,
    audio: audio?.coding ?? 'none',
    soundBits: audio?.bits ?? 0,
    tracks: [video, audio].flatMap((one) => one?.track ?? []).concat(captions),
    width: state.width,
    height: state.height,
    durationSeconds: state.durationSeconds,
    frameRate: state.frameRate,
    hasConstantRate: video.hasConstantRate,
    averageFps: video.hasConstantRate ? fpsOf(state.frameRate) : state.averageFps,
    pictureSeconds: (row ?? cutting)?.endSeconds ?? clips[0].facts.video.endSeconds,
    ...{ row, cutting },
    whyEncoded: video.coding === 'encode' ? whyEncoded : undefined,
    copyFailed: hasFailed(copying),
    scan: video.coding === 'copy' ? clips[0].facts.video.scan : progressiveScan,
    turnsItself: clips.some(({ facts }) => facts.video.ownTurn),
    ...describeFootage({ ...state, clips }),
    steps: applied,
    warnings: [...state.warnings, ...sourceWarnings(clips, channels, video.coding)],
    mostBytes: isOnlyCompressed ? clips[0].facts.sizeBytes : undefined,
    remux:
      isOnlyCompressed && recodes === undefined && !hasFailed(copying)
        ? remuxOf(clips[0], options, audio, captionFiles)
        : undefined,
    excerpt: state.excerpt,
    budget: isOnlyCompressed || video.coding === 'copy' ? undefined : budgetOf(state, input, audio),
  }
}

function hasFailed(copying: Copying): boolean {
  return copying !== 'allowed' && copying.hasFailed === true
}

function budgetOf(state: RenderState, { options }: CodingInput, audio: PlannedSound | undefined) {
  const { width, height } = state
  const audioBits = audio?.bits ?? 0
  const result = {
    codec: codecOf(options),
    quality: options.compressionQuality,
    width,
    height,
    audioBits,
  }
  const { excerpt, clips } = state
  const film = excerpt
    ? { ...onlyExcerpt(state, excerpt), drawn: drawnWithin(state.drawn, excerpt) }
    : state
  const budget = byteBudget(film, result)
  return isKeptByRate(budget, clips, options.maxBitrate) ? undefined : budget
}

function remuxOf(
  { facts, video, audio }: Clip,
  { outputFormat: format }: ProcessingOptions,
  coded: PlannedSound | undefined,
  captionFiles: readonly CaptionFile[],
): Remux | undefined {
  const isAsEncoded = isStandardPicture(facts.video) && isWidelyPlayed(facts, format)
  if (!isAsEncoded || !canCopyVideo(facts, format)) return undefined
  const { bitRate = Number.POSITIVE_INFINITY, endSeconds } = facts.video
  const leastBytes = Math.min(facts.sizeBytes, (bitRate * endSeconds) / 8)
  const picture = copiedPicture(facts, video)
  const captions = captionTracks(captionFiles, format)
  if (!audio || !coded) return { leastBytes, audio: 'none', tracks: [picture, ...captions] }
  const copied = { coding: 'copy', track: { stream: audio, coding: ['-c:a', 'copy'] } } as const
  const { coding, track } = canCopyAudio(facts, format) ? copied : coded
  return { leastBytes, audio: coding, tracks: [picture, track, ...captions] }
}

/** The same plan, with further options for the copy of its picture. */
export function withPictureCoding(plan: RenderPlan, coding: readonly string[]): RenderPlan {
  const tracks = plan.tracks.map((track) =>
    track.stream.kind === 'video' ? { ...track, coding: [...track.coding, ...coding] } : track,
  )
  return { ...plan, tracks }
}

export function compilePlan(plan: RenderPlan, path: string, caps: RenderCaps): CompiledCommand {
  const { threads, maxPixels } = caps
  const { timing } = plan.excerpt ?? {}
  return compileArgs({ ...fileOf(plan, path, caps), ...(timing && { timing }), threads, maxPixels })
}

/** Several films of the same clips, made in one run: what their graphs have in common is done once. */
export function compileTogether(
  films: readonly { readonly plan: RenderPlan; readonly path: string }[],
  caps: RenderCaps,
): CompiledCommand {
  const files = films.map(({ plan, path }) => fileOf(plan, path, caps))
  const shared = shareGraph(files.map(({ tracks }) => tracks.map(({ stream }) => stream)))
  const [first, ...beside] = files.map((file, i) => ({
    ...file,
    tracks: file.tracks.map((track, j) => ({ ...track, stream: shared[i]?.[j] ?? track.stream })),
  }))
  if (!first) throw new Error('No film to make')
  const { threads, maxPixels } = caps
  return compileArgs({ ...first, beside, threads, maxPixels })
}

function fileOf({ durationSeconds, tracks, format }: RenderPlan, path: string, caps: RenderCaps) {
  return { tracks, muxing: [...limitsOf(durationSeconds, caps), ...muxingOf(format)], path }
}

/** The plan as stored with the attempt, for people to read. */
export function describePlan(plan: RenderPlan) {
  const { format, video, audio, width, height, durationSeconds, cuts, sound, copyFailed } = plan
  const whyEncoded = plan.whyEncoded ?? null
  const sources = plan.sources.map((source) => ({ ...source }))
  const { partsFailed = false } = plan
  const picture = { picture: sayPicture(plan), whyEncoded, copyFailed, partsFailed }
  const shape = { format, video, ...picture, parts: sayParts(plan), audio }
  const size = { width, height, durationSeconds }
  return { ...shape, ...size, steps: [...plan.steps], cuts, sound, sources }
}

export function sayPicture({ video, cutting }: RenderPlan): string {
  if (video === 'encode') return 'encoded'
  return saySeams(cutting ? countSeams(cutting.pieces) : 0)
}

export function saySeams(seams: number): string {
  return seams === 0 ? 'copied' : `copied but for ${seams} ${seams === 1 ? 'seam' : 'seams'}`
}

/** `12 parts`, or why the film was encoded as a whole; null if dividing it was never considered. */
function sayParts({ parts }: RenderPlan): string | null {
  if (!parts) return null
  return 'begins' in parts ? `${parts.begins.length} parts` : `whole: ${parts.whole}`
}

/** What a result of any kind is made from, and what is cut out of it. */
export function describeFootage({
  clips,
  sound,
  ...cut
}: Pick<RenderSources, 'clips' | 'sound'> & CutTimeline) {
  return {
    sources: clips.map(({ facts }) => summarise(facts)),
    cuts: describeCuts(cut),
    sound: sound ? summariseSound(sound) : null,
  }
}

function summarise({ format, sizeBytes, durationSeconds, video, audio }: MediaFacts) {
  const { codec, width, height, averageFps } = video
  const picture = { codec, width, height, averageFps, scan: video.scan.kind }
  return { format, sizeBytes, durationSeconds, ...picture, audio: audio?.codec ?? null }
}

/** A result of the largest size may last up to an hour; a longer one must be smaller. */
const mostSecondsOfLargest = 3_600

export function refuseEndless(
  { width, height, durationSeconds }: Pick<RenderState, 'width' | 'height' | 'durationSeconds'>,
  maxPixels: number,
): void {
  const pixels = width * height
  const isLarge = pixels > maxPixels
  if (!isLarge && pixels * durationSeconds <= maxPixels * mostSecondsOfLargest) return
  const size = `${width} × ${height} pixels`
  throw new JobError(
    'output_too_large',
    isLarge
      ? `The result would be too large: ${size}; at most ${maxPixels} pixels are allowed.`
      : `The result would be too large: ${Math.round(durationSeconds)} seconds of ${size}.`,
  )
}

type SoundSummary = ReturnType<typeof summariseSound>

function summariseSound(sound: PreparedSound) {
  const { loudness, gainDb, hasNoiseRemoved } = sound
  return {
    /** LUFS of what remains, before the gain; null if it is silent. */
    loudness: loudness === undefined ? null : thousandths(loudness),
    gainDb: gainDb === undefined ? null : thousandths(gainDb),
    hasNoiseRemoved,
  }
}

/**
 * Warns about changes of sources that were not requested. `channels`: the number of channels in the result, if its sound is
 * encoded.
 */
function sourceWarnings(
  clips: readonly Clip[],
  channels: number | undefined,
  picture: 'copy' | 'encode',
): string[] {
  const nameOf = (i: number): string => (clips.length === 1 ? 'The source' : `files[${i}]`)
  const cutOff = clips.flatMap(({ facts }, i) => [
    ...cutOffWarning(facts, nameOf(i)),
    ...(picture === 'copy' ? fieldsWarning(facts, nameOf(i)) : []),
  ])
  const heard = clips.map((clip) => soundOf(clip)?.channels ?? 0)
  const most = Math.max(...heard)
  if (channels === undefined || most <= channels) return cutOff
  const name = nameOf(heard.indexOf(most))
  const became = channels === 2 ? 'stereo' : `${channels} channels`
  return [...cutOff, `${name} has sound in ${most} channels; it was mixed into ${became}.`]
}

function cutOffWarning({ promisedSeconds, durationSeconds }: MediaFacts, name: string): string[] {
  if (promisedSeconds === undefined) return []
  const [promised, read] = [promisedSeconds, durationSeconds].map(
    (seconds) => Math.round(seconds * 10) / 10,
  )
  return [`${name} says that it lasts ${promised} s; only ${read} s of it could be read.`]
}

/** At quality 100 a source is not changed, but most players show combs on interlaced pictures. */
function fieldsWarning({ video }: MediaFacts, name: string): string[] {
  if (video.scan.kind === 'progressive') return []
  return [
    `${name} is interlaced, and stays so, because compressionQuality 100 copies it. Below 100 it is deinterlaced.`,
  ]
}
