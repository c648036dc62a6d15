import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { graphInto, guardedGlobals, guardedInput, guardedPieces } from '../../graph/compile-args.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { mergeSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { cutFiles } from '../plan/cutting.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { fileOf, PacketUnits, type CutFile } from '../bits/packet-units.ts'
import type {
  CutResult,
  CutSource,
  Cutting,
  TransitionPictures,
  Piece,
  Places,
} from '../cut-model.ts'
import { avcParameterSetsOf } from '../mp4/describe-film.ts'
import { modelOf, readModel } from '../mp4/film-model.ts'
import { shownPictures } from '../plan/kept-pictures.ts'
import { composed, readsOf, type SeamPictures } from '../plan/made-pictures.ts'
import { entriesOf } from '../plan/entry-kinds.ts'
import { lookedAt, windowsFor } from '../plan/windows.ts'
import { wantedPictures, writeWindows, type WindowReading } from '../make/write-windows.ts'
import { hashesIn } from '../../ffmpeg/picture-hashes.ts'

/** Encoded pictures at a seam have to match those of the source at least this well. */
const leastDecibels = 40

/**
 * Decodes the pictures around every seam, from the source and from the result. Undefined if the copied ones are the same, the
 * encoded ones look the same, and the decoder does not complain.
 */
export async function comparePictures(
  tools: ToolContext,
  cutting: Cutting,
  result: CutResult & { readonly packing: Packets },
): Promise<string | undefined> {
  const pieces = piecesInResult(cutting)
  const looked = mergeSpans(lookedAtIn(cutting.source, pieces), pieces.at(-1)?.to ?? 0)
  if (looked.length === 0) return undefined
  const shown = shownPictures(result.packing)
  const { packing, name: file, facts } = result
  const files = [{ path: file, from: 0, startSeconds: 0 }] as const
  const isMp4 = facts.format === 'mp4' || facts.format === 'mov'
  const model = isMp4
    ? await readModel(tools, file)
    : await modelOf(tools, { path: file, facts }, cutFiles.resultModel)
  const parameterSets = cutting.source.parameterSets && avcParameterSetsOf(model.description)
  const own = { files, facts, packing: { ...cutting.source.packing, ...packing } }
  const joined = { ...cutting.source, ...own, shown, model, parameterSets }
  const wanted = picturesIn(cutting, pieces, looked)
  const ofSource = wantedOf(cutting.source, wanted)
  const sides = [
    await readingOf(tools, 'source', cutting.source, readsOf(cutting.source, ofSource)),
    await readingOf(tools, 'result', joined, looked),
  ] as const
  const shouldBe = composed(wantedPictures(sides[0]), ofSource, cutting.form)
  const { stdout, stderrTail, exitCode } = await decodeBoth(tools, sides, shouldBe)
  // The decoder also complains about a source that begins in the middle of a group.
  const isClean = stderrTail === '' || (await decodesCleanly(tools, sides[1]))
  if (exitCode !== 0 || !isClean) return 'the decoder complains about its seams'
  const likeness = [...stdout.matchAll(/psnr_avg:(\S+)/g)].map(([, text]) =>
    Number(text === 'inf' ? Infinity : text),
  )
  if (likeness.length !== wanted.length) return 'not all pictures at its seams can be decoded'
  const isOff = wanted.findIndex(
    ({ isCopied }, i) => !((likeness[i] ?? 0) >= (isCopied ? Infinity : leastDecibels)),
  )
  if (isOff < 0) return undefined
  return wanted[isOff]?.isCopied
    ? 'a copied picture beside a seam is decoded otherwise'
    : `a picture at a seam differs by ${(likeness[isOff] ?? 0).toFixed(1)} dB`
}

type ComparedPicture = {
  readonly place: number
  readonly isCopied: boolean
  /** The transition to which it belongs. */
  readonly made: TransitionPictures | undefined
}

/** A piece, and where it lies among the pictures of the result. */
type PieceInResult = FrameSpan & { readonly piece: Piece }

function piecesInResult({ pieces }: Cutting): PieceInResult[] {
  let to = 0
  return pieces.map((piece) => {
    const from = to
    to += piece.places.to - piece.places.from
    return { piece, from, to }
  })
}

/**
 * The places in the result to compare: all seams, some of the copied pictures around them and at each cut, and the first group
 * of every run whose pictures might refer to what came before it: only the file says that they do not.
 */
function lookedAtIn({ packing, shown }: CutSource, pieces: readonly PieceInResult[]): FrameSpan[] {
  return pieces.flatMap(({ piece, from, to }, i) => {
    if (piece.kind === 'seam') return [{ from: from - lookedAt, to: to + lookedAt }]
    const isJoint = i > 0 && pieces[i - 1]?.piece.part !== piece.part
    const joint = isJoint ? [{ from: from - lookedAt, to: from + lookedAt + 1 }] : []
    if (piece.entry === 'closed') return joint
    const next = packing.keys.indexOf(1, piece.from + 1)
    const end = next < 0 ? piece.places.to : (shown.places[next] ?? piece.places.to)
    const groupEnd = from + Math.min(end, piece.places.to) - piece.places.from
    return [...joint, { from, to: groupEnd }]
  })
}

/** The pictures of the result in these places, as places in the source. */
function picturesIn(
  { parts }: Pick<Cutting, 'parts'>,
  pieces: readonly PieceInResult[],
  looked: readonly FrameSpan[],
): ComparedPicture[] {
  return looked.flatMap((span) =>
    pieces.flatMap(({ piece, from, to }) => {
      const [first, end] = [Math.max(from, span.from), Math.min(to, span.to)]
      const isCopied = piece.kind === 'run'
      return Array.from({ length: Math.max(0, end - first) }, (_, i) => {
        const place = piece.places.from + first - from + i
        return { place, isCopied, made: parts[piece.part]?.made }
      })
    }),
  )
}

/** Consecutive pictures of the same file as spans of places, in the same order, and transitions as wholes. */
function wantedOf(source: CutSource, pictures: readonly ComparedPicture[]): SeamPictures[] {
  const wanted: SeamPictures[] = []
  const fileAt = (place: number): number => fileOf(source, source.shown.packets[place] ?? 0)
  for (const { place, made } of pictures) {
    const last = wanted.at(-1)
    if (made) {
      if (last !== made) wanted.push(made)
    } else if (
      last &&
      !('joint' in last) &&
      last.to === place &&
      fileAt(last.from) === fileAt(place)
    )
      wanted.splice(-1, 1, { from: last.from, to: place + 1 })
    else wanted.push({ from: place, to: place + 1 })
  }
  return wanted
}

async function readingOf(
  tools: ToolContext,
  side: 'source' | 'result',
  source: CutSource,
  places: readonly Places[],
): Promise<WindowReading> {
  await using units = new PacketUnits(tools.folder, source)
  const windows = await windowsFor({ source, ...entriesOf(units, source) }, places)
  return await writeWindows(tools, `cut-proof-${side}.head`, { source, units }, windows)
}

/** How to read the source and the result, or one of them. */
type WindowSides = readonly WindowReading[]

async function decodeBoth(
  tools: ToolContext,
  sides: readonly [WindowReading, WindowReading],
  shouldBe: Stream<'video'>,
) {
  const graph = [
    graphInto('made0', shouldBe, 0),
    graphInto('made1', wantedPictures(sides[1]), 1),
    ...[0, 1].map((i) => `[made${i}]setsar=1[side${i}]`),
    '[side0][side1]psnr=stats_file=-:eof_action=endall[out]',
  ].join(';')
  const graphPath = 'cut-proof.graph'
  await writeFile(path.join(tools.folder, graphPath), graph)
  const compared = ['-filter_complex_script', graphPath, '-map', '[out]']
  return decode(tools, sides, compared)
}

async function decodesCleanly(tools: ToolContext, side: WindowReading): Promise<boolean> {
  const { exitCode, stderrTail } = await decode(tools, [side], ['-map', '0:0'])
  return exitCode === 0 && stderrTail === ''
}

async function decode(tools: ToolContext, sides: WindowSides, shown: readonly string[]) {
  const { threads, maxPixels } = tools
  const reading = ['-threads', String(threads), '-max_pixels', String(maxPixels), '-noautorotate']
  return readTool(tools, 'ffmpeg', [
    ...guardedGlobals,
    ...sides.flatMap(({ pieces }) => [...reading, ...guardedPieces(pieces, 'mov')]),
    ...shown,
    ...['-fps_mode:v', 'passthrough', '-f', 'null', '-'],
  ])
}

/** How many pictures on each side of a joint are compared: nothing is encoded there, so this costs little. */
const lookedAtJoint = 5

/** Two files of a row whose packets follow each other. */
type RowJoint = {
  readonly before: CutFile
  readonly after: CutFile
  /** When the packets of all files are shown. */
  readonly shownAt: Float64Array
  readonly roundingSeconds: number
}

/** Decodes the pictures around a joint from both the clips and the result. */
export async function faultOfJoint(
  tools: ToolContext,
  { before, after, shownAt, roundingSeconds }: RowJoint,
  { name, facts, shift }: CutResult & { readonly shift: number },
): Promise<string | undefined> {
  const times = shownAt.slice(before.from, after.from).sort()
  const count = Math.min(lookedAtJoint, times.length)
  // A time between two pictures, so that rounding cannot change which one comes first.
  const [last = 0, first = 0] = times.slice(-count - 1)
  const isWhole = times.length === count
  const from = isWhole ? (times[0] ?? 0) - roundingSeconds : (last + first) / 2
  const own = isWhole ? 0 : from - before.startSeconds
  const [left, right, joined] = await Promise.all([
    decodeFrom(tools, facts, { path: before.path, from: own, count }),
    decodeFrom(tools, facts, { path: after.path, from: 0, count: lookedAtJoint }),
    decodeFrom(tools, facts, { path: name, from: from + shift, count: count + lookedAtJoint }),
  ])
  const seconds = after.startSeconds.toFixed(3)
  if ([...left.pictures, ...right.pictures].some((hash, i) => hash !== joined.pictures[i])) {
    return `pictures around ${seconds} s are decoded otherwise`
  }
  const isNew = joined.complaint !== '' && left.complaint === '' && right.complaint === ''
  return isNew ? `the decoder complains around ${seconds} s` : undefined
}

/** Decodes a file from a time on. Returns the hashes of the pictures and the messages of the decoder. */
export async function decodeFrom(
  tools: ToolContext,
  { format, video }: MediaFacts,
  { path, from, count }: { path: string; from: number; count: number },
) {
  const { stdout, stderrTail, exitCode } = await readTool(tools, 'ffmpeg', [
    ...[...guardedGlobals, '-threads', '2', '-max_pixels', String(tools.maxPixels)],
    ...(from > 0 ? ['-ss', from.toFixed(6)] : []),
    ...[...guardedInput(path, demuxers[format]), '-map', `0:${video.index}`],
    ...['-frames:v', String(count), '-fps_mode:v', 'passthrough', '-f', 'framemd5', '-'],
  ])
  return { pictures: hashesIn(stdout), complaint: stderrTail, exitCode }
}
