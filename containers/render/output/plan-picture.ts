import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { codecOf } from '../../../worker/contract/options/outputs/output-rates.ts'
import { canCopyVideo } from '../../cuts/plan/copied-codecs.ts'
import { JobError } from '../../errors/job-error.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import type { Clip } from '../../timeline/clip.ts'
import { fpsOf, maxFrameRate } from '../../timeline/frame-rate.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { evenPicture } from '../frame/fit-frame.ts'
import { steadyPictures } from '../frame/steady-pictures.ts'
import type { RenderState } from '../render-state.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import { copyVideoCoding, needsConstantRate, pictureArgsIn } from './encoding.ts'
import { bitsAllowed, pictureBits, type CodingInput, type PlannedTrack } from './fit-rates.ts'
import { inPass, sharedRate } from './passes.ts'
import { averageRate, boundOf, qualityRate, videoCoding } from './picture-codecs.ts'

type PlannedPicture = PlannedTrack & { readonly hasConstantRate: boolean }

type PictureInput = CodingInput & {
  /** Bits a second that the sound takes. */
  readonly ofSound: number
}

export function planPicture(
  state: RenderState,
  input: PictureInput,
  mayCopy: boolean,
): PlannedPicture {
  const { facts, options, caps } = input
  const { outputFormat, compressionQuality } = options
  if (mayCopy && compressionQuality === 100 && canCopyVideo(facts, outputFormat)) {
    const track = copiedPicture(facts, state.video)
    return { coding: 'copy', track, hasConstantRate: state.hasConstantRate }
  }
  refuseDolbyVisionOnly(state.clips)
  const { stream, hasConstantRate } = codablePicture(state, options.outputFormat)
  const picture = { ...state, hasConstantRate, hasGaps: state.hasGaps && !hasConstantRate }
  const codec = codecOf(options)
  const rate = inPass(rateOf(state, input), caps.pass, codec)
  const target = { codec, args: pictureArgsIn(outputFormat, hasConstantRate) }
  const coding = videoCoding(target, rate, picture, caps.threads)
  return { coding: 'encode', track: { stream, coding }, hasConstantRate }
}

function rateOf(state: RenderState, input: PictureInput): readonly string[] {
  const { options, caps, ofSound } = input
  const { fitBytes, pictureBytes, pictureQuality, pass } = caps
  const { compressionQuality, maxBitrate } = options
  if (pictureBytes !== undefined) return sharedRate(pictureBytes, pictureSeconds(state))
  const allowed = bitsAllowed(input, state.durationSeconds)
  const ofPicture = allowed === undefined ? undefined : pictureBits(allowed, ofSound)
  if (fitBytes !== undefined && ofPicture !== undefined) {
    const most = bitsAllowed({ ...input, caps: { ...caps, fitBytes: undefined } }, 1)
    if (most !== undefined) return averageRate(ofPicture, boundOf(pictureBits(most, ofSound)))
    if (pass) return ['-b:v', String(ofPicture)]
    // Room for moments of much motion.
    return averageRate(ofPicture, { most: ofPicture * 2, buffer: ofPicture * 2 })
  }
  const bound = maxBitrate === undefined ? undefined : ofPicture
  return qualityRate(codecOf(options), pictureQuality ?? compressionQuality, bound)
}

/** A copy reads the file directly: filters that standardise a picture do not apply. */
export function copiedPicture(facts: MediaFacts, video: Stream<'video'>): PlannedTrack['track'] {
  return { stream: storedStream(video), coding: copyVideoCoding(facts) }
}

/** Profile 5 has no base layer that ordinary decoders can show in the right colours. */
export function refuseDolbyVisionOnly(clips: readonly Pick<Clip, 'facts'>[]): void {
  if (clips.every((clip) => clip.facts.video.dolbyVisionProfile !== 5)) return
  throw new JobError(
    'source_undecodable',
    'Dolby Vision profile 5 cannot be converted; please send another version of the video.',
  )
}

/**
 * Gives the picture even sides, and a steady rate if the container needs one or the source has absurdly many pictures.
 */
export function codablePicture(state: RenderState, format: VideoFormat) {
  const { video: even } = evenPicture(state)
  const isTooFast = state.averageFps > maxFrameRate + 1
  if (isTooFast || needsConstantRate(format)) {
    return { stream: steadied(even, state), hasConstantRate: true }
  }
  return { stream: even, hasConstantRate: state.hasConstantRate }
}

/**
 * A picture that begins late shows its first frame until then; in AVI only repeated frames can do that. The frames are
 * counted, because the output of `overlay` does not say how long its last picture lasts, and that picture would be
 * dropped.
 */
function steadied(picture: Stream<'video'>, state: RenderState): Stream<'video'> {
  const { frameRate } = state
  const frames = Math.max(1, Math.round(pictureSeconds(state) * fpsOf(frameRate)))
  return steadyPictures(picture, frameRate, frames)
}

/** After a join or a cut the length is in whole pictures; otherwise the picture may end before the sound. */
function pictureSeconds({
  clips,
  removed,
  excerpt,
  timeline,
  durationSeconds,
}: RenderState): number {
  const [first] = clips
  const isCut = removed.all.length > 0 || (timeline.speed ?? 1) !== 1
  const isWhole = clips.length === 1 && !isCut && !excerpt
  return isWhole && first ? first.facts.video.endSeconds : durationSeconds
}
