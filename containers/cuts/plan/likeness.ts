import type { Packing } from '../../ffmpeg/measure-packing.ts'
import { fpsOf, mostRoundingSeconds, type FrameRate } from '../../timeline/frame-rate.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { CutCodec } from '../cut-model.ts'
import type { StoredClip } from './join-packings.ts'

/** Why the pictures of clips cannot be in one track, as far as that is known before their packets are read. */
export function unlikeClips(clips: readonly Pick<StoredClip, 'facts'>[]): string | undefined {
  const [first] = clips
  return faultOfClip(clips, ({ facts: { format, video } }) => {
    if (!first) return undefined
    const { codec, width, height } = first.facts.video
    if (video.codec !== codec) return `is ${video.codec}, not ${codec}`
    if (video.width !== width || video.height !== height) return 'is of another size'
    const isOtherFamily = (format === 'webm') !== (first.facts.format === 'webm')
    return isOtherFamily ? 'is in another container' : undefined
  })
}

/** The first fault of a clip, with the name of the clip that has it. */
export function faultOfClip<Clip>(
  clips: readonly Clip[],
  faultOf: (clip: Clip, i: number) => string | undefined,
): string | undefined {
  for (const [i, clip] of clips.entries()) {
    const fault = faultOf(clip, i)
    if (fault !== undefined) return `files[${i}] ${fault}`
  }
  return undefined
}

/** More than any camera writes; two pictures are compared in memory. */
const mostPictureBytes = 128 * 1024 ** 2

/** Why packets cannot follow those of the first clip in one track, whatever times they are given there. */
export function unlikePacking(
  first: Packing,
  packing: Packing,
  mayDiffer: readonly string[] = [],
): string | undefined {
  const names = new Set([...first.stream.keys(), ...packing.stream.keys()])
  const other = [...names].find(
    (name) => !mayDiffer.includes(name) && first.stream.get(name) !== packing.stream.get(name),
  )
  if (other !== undefined) return `differs in ${nameProperty(other)}`
  return packing.beginsWithKey ? undefined : 'needs pictures before its first one'
}

/** Why a clip cannot be in a row, where each picture keeps its own time: none would be shown at its beginning. */
export function beginsLate({ shownAt, hidden }: Packing, frameRate: FrameRate): string | undefined {
  const begin = shownAt.reduce(
    (least, at, packet) => (hidden[packet] === 0 ? Math.min(least, at) : least),
    Number.POSITIVE_INFINITY,
  )
  const isLate = !(begin <= 0.5 / fpsOf(frameRate) + mostRoundingSeconds)
  return isLate ? 'shows its first picture after its sound has begun' : undefined
}

/** Why a clip cannot follow the first one in a row, although both have the same codec and size. */
export function unlikeFirst(first: MediaFacts, facts: MediaFacts): string | undefined {
  const [a, b] = [first.video, facts.video]
  if (first.format !== facts.format) return 'is in another container'
  if (a.index !== b.index) return 'has its picture in another track'
  if (a.scan.kind !== b.scan.kind) return `is ${b.scan.kind}, not ${a.scan.kind}`
  // Pictures with individual times need no common rate.
  const isSameRate =
    !a.hasConstantRate || Math.abs(a.averageFps - b.averageFps) / a.averageFps < 0.001
  return a.hasConstantRate === b.hasConstantRate && isSameRate
    ? undefined
    : 'has another frame rate'
}

/** Why the packets of a clip cannot stand in a row. */
export function unfitRow({
  shownAt,
  positions,
  sizes,
  sums,
  ...packing
}: Packing): string | undefined {
  if (!packing.isWhole) return 'has too many pictures to compare'
  if (packing.hasDescriptions) return 'changes its coding in the middle'
  if (packing.hasHidden) return 'has pictures that its edit list leaves out'
  if (!sums && !positions.every(Number.isFinite)) return 'has pictures whose place is not known'
  if (sizes.some((size) => size > mostPictureBytes)) return 'has a picture of too many bytes'
  // Pictures shown before the first key picture refer to pictures that are missing.
  const first = shownAt[0] ?? Number.NaN
  return shownAt.every((at) => at >= first) ? undefined : 'needs pictures before its first one'
}

/** Why files cannot be cut as they are stored, as far as that is known before their packets are read. */
export function unfitClips(clips: readonly Pick<StoredClip, 'facts'>[]): string | undefined {
  const faults = clips.map(({ facts }) => unfitFacts(facts))
  const at = faults.findIndex((fault) => fault !== undefined)
  if (at < 0 || clips.length === 1) return faults[at]
  return `files[${at}]: ${faults[at]}`
}

function unfitFacts({ format, video }: MediaFacts): string | undefined {
  if (format === 'avi') return 'AVI has no times of its own'
  if (video.hasAlpha) return 'it is transparent'
  if (video.ownTurn) return 'its pictures say themselves how they are turned'
  if (video.scan.kind !== 'progressive') return `its pictures are ${video.scan.kind}`
  if (video.dolbyVisionProfile !== undefined) return 'it is Dolby Vision'
  return undefined
}

export function unfitPackets(
  packing: Packing,
  shown: Uint32Array,
  codec: CutCodec,
): string | undefined {
  const { stream, shownAt, isWhole, hasDescriptions, positions, sizes } = packing
  if (!isWhole) return 'it has too many pictures'
  if (hasDescriptions) return 'its coding changes in the middle'
  if (shown.length === 0) return 'it shows no pictures'
  if (codec !== 'vp9' && !stream.has('extradata_hash'))
    return 'its parameter sets are not in its header'
  for (let i = 0; i < sizes.length; i++) {
    const isFound = (positions[i] ?? Number.NaN) >= 0 && (sizes[i] ?? 0) > 0
    if (!isFound || !Number.isFinite(shownAt[i]))
      return 'some of its pictures have no place or time'
    if ((sizes[i] ?? 0) > mostPictureBytes) return 'one of its pictures takes too many bytes'
  }
  for (let i = 1; i < shown.length; i++) {
    const step = (shownAt[shown[i] ?? 0] ?? 0) - (shownAt[shown[i - 1] ?? 0] ?? 0)
    if (!(step > 0)) return 'several of its pictures have the same time'
  }
  return undefined
}

const names: Readonly<Record<string, string>> = {
  codec_tag_string: 'its codec tag',
  extradata_hash: 'its parameter sets',
  width: 'its width',
  height: 'its height',
  pix_fmt: 'the form of its pixels',
  profile: 'its profile',
  level: 'its level',
  refs: 'the number of pictures it refers to',
  sample_aspect_ratio: 'the shape of its pixels',
  field_order: 'its fields',
  color_range: 'its range of colors',
  color_space: 'its colors',
  color_transfer: 'its colors',
  color_primaries: 'its colors',
  chroma_location: 'the place of its colors',
  has_b_frames: 'the order of its pictures',
  rotation: 'its rotation',
}

/** The common name of a stream property that ffprobe shows. */
function nameProperty(property: string): string {
  return names[property] ?? property
}
