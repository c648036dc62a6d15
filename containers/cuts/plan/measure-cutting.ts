import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { sourceLimits } from '../../claims/source-limits.ts'
import { overlappingFrames, type Joint, type KeptPiece } from '../../timeline/joints.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import { PacketUnits } from '../bits/packet-units.ts'
import { CutFault, refuse } from '../cut-fault.ts'
import type { CutCodec, CutSource, Cutting, Description } from '../cut-model.ts'
import type { AvcParameterSets } from '../h264/avc-parameter-sets.ts'
import { avcParameterSetsOf } from '../mp4/describe-film.ts'
import { modelOf } from '../mp4/film-model.ts'
import { cutFiles, removesPictures, seamsOf } from './cutting.ts'
import { entriesOf, playerKeys, type Entries } from './entry-kinds.ts'
import { findPieces } from './find-runs.ts'
import {
  joinPackings,
  startFrames,
  stretchesOf,
  timescaleFor,
  type StoredClip,
} from './join-packings.ts'
import { keptParts, shownPictures } from './kept-pictures.ts'
import { faultOfClip, unfitClips, unfitPackets, unlikeClips, unlikePacking } from './likeness.ts'
import { readsOf, wantedAt } from './made-pictures.ts'
import { seamGroups } from './number-seams.ts'
import { seamCoding } from './seam-coding.ts'
import { faultBeforeCut } from './unit-faults.ts'
import { windowsFor, countPackets, lookedAt } from './windows.ts'
import type { PictureForm } from '../../timeline/blend-joints.ts'
import type { ColorMatrix, MediaFacts } from '../../timeline/media-facts.ts'
import { totalLength } from '../../numbers/spans.ts'

type CutRequest = {
  /** The files of the timeline; without cuts they are joined. */
  readonly clips: readonly [StoredClip, ...StoredClip[]]
  /** The steady rate in which the pictures of the timeline are counted. */
  readonly frameRate: FrameRate
  /** What remains of the timeline, and the transitions between its pieces. */
  readonly kept: readonly KeptPiece[]
  readonly joints: readonly Joint[]
  /** For the colours of fades. */
  readonly toYuv: ToYuv
  /** How the clips are stored, if that was measured before. */
  readonly packings?: readonly Packing[] | undefined
}

export type CutChoice = { readonly cutting: Cutting } | { readonly why: string }

/**
 * Finds out whether files can be joined and cut without encoding, and where the seams are. If they cannot, or if encoding
 * everything is less work, says why.
 */
export async function measureCutting(tools: ToolContext, request: CutRequest): Promise<CutChoice> {
  try {
    return { cutting: await planCutting(tools, request) }
  } catch (error) {
    if (error instanceof CutFault) return { why: error.message }
    throw error
  }
}

async function planCutting(tools: ToolContext, request: CutRequest): Promise<Cutting> {
  const { clips, frameRate, kept, joints } = request
  const source = await readSource(tools, request)
  const { packing, shown } = source
  const form = pictureForm(source, joints, request.toYuv)
  const grid = { frameRate, clipStarts: startFrames(clips) }
  const parts = keptParts(packing, shown, stretchesOf(kept, joints, clips), grid)
  await using units = new PacketUnits(tools.folder, source)
  const entries = entriesOf(units, source)
  const pieces = await findPieces({ ...source, ...entries }, parts)
  const seams = readsOf(
    source,
    seamsOf(pieces).map((seam) => wantedAt(parts, seam)),
  )
  const coding = seams.length > 0 ? seamCoding(source, tools.threads) : []
  if (removesPictures({ source, parts })) refuse(await faultBeforeCut(units, source, pieces))
  const windows = await windowsFor({ source, ...entries }, seams)
  refuse(await tooMuchWork({ source, parts, pieces, windows, ...entries }))
  const groups = seamGroups(pieces)
  const runs = groups.flatMap(({ run }) => run ?? [])
  const keys = await playerKeys(units, source, runs)
  const endSeconds = (totalLength(kept) - overlappingFrames(joints)) / fpsOf(frameRate)
  return { source, parts, pieces, groups, windows, form, coding, keys, endSeconds }
}

/** The parameter sets of H.264, if encoded slices can be written for them. */
function fittingSets(description: Description, { stream }: Packing): AvcParameterSets | undefined {
  const sets = avcParameterSetsOf(description)
  const isOfSize = (name: 'width' | 'height'): boolean =>
    sets?.sps[name] === Number(stream.get(name))
  return isOfSize('width') && isOfSize('height') ? sets : undefined
}

/** Times are counted in the ticks of the result. */
const mayDiffer = ['time_base']

/** Reads the packets of all files. */
async function readSource(
  tools: ToolContext,
  { clips, frameRate, ...request }: CutRequest,
): Promise<CutSource> {
  refuse(unlikeClips(clips) ?? unfitClips(clips))
  const [{ facts }] = clips
  const codec = cutCodecs[facts.video.codec]
  if (codec === undefined) throw new CutFault(`seams of ${facts.video.codec} cannot be encoded`)
  const packings = request.packings ?? (await measureEach(tools, clips))
  const unlike = faultOfClip(packings, (packing, i) => {
    const first = i > 0 ? packings[0] : undefined
    return first && unlikePacking(first, packing, mayDiffer)
  })
  refuse(unlike)
  const { files, packing } = joinPackings(packings, clips, frameRate)
  const shown = shownPictures(packing)
  refuse(unfitPackets(packing, shown.packets, codec))
  const model = await modelOf(tools, { path: files[0].path, facts }, cutFiles.model)
  const parameterSets = codec === 'h264' ? fittingSets(model.description, packing) : undefined
  const timescale = timescaleFor(packings)
  return { files, facts, codec, packing, shown, timescale, model, parameterSets }
}

/** One after the other: each keeps some numbers for every packet. */
async function measureEach(tools: ToolContext, clips: CutRequest['clips']): Promise<Packing[]> {
  const packings: Packing[] = []
  let left: number = sourceLimits.packets
  for (const { path, facts } of clips) {
    const packing = await measurePacking(tools, path, facts, left)
    left -= packing.sizes.length
    packings.push(packing)
  }
  return packings
}

const cutCodecs: Readonly<Record<string, CutCodec>> = { h264: 'h264', hevc: 'hevc', vp9: 'vp9' }

/**
 * The work on one picture, where encoding it for a whole film is 1: processor time as measured (decision 043), slightly above
 * the cost of the most expensive footage.
 */
const decodedCost = 0.1
const comparedCost = 0.12
const seamPictureCost: Readonly<Record<CutCodec, number>> = { h264: 0.65, hevc: 1.7, vp9: 0.45 }
/** The most work, as a share of an encode. If most is encoded anyway, the seams, which take many bytes, are not worth it. */
const mostShare = 0.75

type WeighedCut = Pick<Cutting, 'source' | 'parts' | 'pieces' | 'windows'> &
  Pick<Entries, 'entryOf'>

/** Compares the work of cutting with that of encoding everything. Undefined if cutting is less. */
async function tooMuchWork(cutting: WeighedCut): Promise<string | undefined> {
  const { parts, pieces, source } = cutting
  const kept = totalLength(parts)
  const encoded = totalLength(seamsOf(pieces).map(({ places }) => places))
  if (pieces.every(({ kind }) => kind === 'seam')) {
    return 'no decoder could begin with a picture between the cuts'
  }
  const compared = encoded + 2 * lookedAt * pieces.length
  const work =
    encoded * seamPictureCost[source.codec] +
    (await decodedPictures(cutting)) * decodedCost +
    compared * comparedCost
  // An encode also decodes what is cut out.
  const encode = kept + source.shown.packets.length * decodedCost
  if (work <= encode * mostShare) return undefined
  return `${encoded} of ${kept} pictures lie at the seams`
}

/** The groups around the seams are decoded once to encode them, and twice for the proof: from the source and the result. */
async function decodedPictures(cutting: WeighedCut): Promise<number> {
  const before = cutting.parts
    .slice(0, -1)
    .filter(({ made }) => !made)
    .map(({ from, to }) => ({ from: Math.max(from, to - lookedAt), to: Math.max(from + 1, to) }))
  return 3 * countPackets(cutting.windows) + 2 * countPackets(await windowsFor(cutting, before))
}

/** Converts `#rrggbb` to values of 8 bits and limited range. */
type ToYuv = (
  color: string,
  matrix: ColorMatrix,
) => { readonly y: number; readonly u: number; readonly v: number }

type StoredMedia = { readonly facts: MediaFacts; readonly packing: Pick<Packing, 'stream'> }

/** How transitions are made from stored pictures: turned as the camera was held, and in their own values. */
function pictureForm(
  source: StoredMedia,
  joints: readonly Joint[],
  toYuv: ToYuv,
): PictureForm | undefined {
  if (joints.length === 0) return undefined
  const { isFullRange, transfer, colorMatrix } = source.facts.video
  const isMoving = joints.some(({ type }) => type.startsWith('wipe') || type.startsWith('slide'))
  const pixels = source.packing.stream.get('pix_fmt') ?? 'unknown'
  const overlayFormat = isFullRange ? undefined : overlayFormats[pixels]
  if (isMoving && overlayFormat === undefined)
    throw new CutFault(`nothing can be moved across its pictures (${pixels}) as they are stored`)
  const isColored = joints.some(({ type, color }) => type === 'fade' && color !== '#000000')
  if (isColored && transfer !== 'sdr')
    throw new CutFault('it is in HDR, and a colour of a fade is not')
  const scale = 2 ** (bitsOf(pixels) - 8)
  return {
    left: isMoving ? leftIn(source) : { axis: 'x', sign: -1 },
    overlayFormat: overlayFormat ?? 'yuv420',
    colorOf: (color) => {
      const { y, u, v } = toYuv(color, colorMatrix)
      const chroma = (value: number): number =>
        scale * (isFullRange ? ((value - 128) * 255) / 224 + 128 : value)
      const luma = scale * (isFullRange ? ((y - 16) * 255) / 219 : y)
      return { y: luma, u: chroma(u), v: chroma(v) }
    },
  }
}

const overlayFormats: Readonly<Record<string, string>> = {
  yuv420p: 'yuv420',
  yuv422p: 'yuv422',
  yuv444p: 'yuv444',
  yuv420p10le: 'yuv420p10',
  yuv422p10le: 'yuv422p10',
}

/** `yuv420p10le` has 10. */
function bitsOf(pixels: string): number {
  return Number(/p(\d+)[lb]e$/.exec(pixels)?.[1] ?? 8)
}

/** By how many degrees players turn the picture counterclockwise, and where its left side is before that. */
function leftIn({ facts, packing }: StoredMedia): PictureForm['left'] {
  const turned = (Number(packing.stream.get('rotation') ?? 0) + 360) % 360
  const left = lefts[turned]
  if (!left || (turned === 0 && facts.video.isTurned))
    throw new CutFault('it is turned in a way in which nothing can be moved across it')
  return left
}

const lefts: Readonly<Record<number, PictureForm['left']>> = {
  0: { axis: 'x', sign: -1 },
  90: { axis: 'y', sign: -1 },
  180: { axis: 'x', sign: 1 },
  270: { axis: 'y', sign: 1 },
}
