import { escapeFilterValue } from './escape.ts'
import type { Filter, InputFile, Stream, TextFile } from './filter-graph.ts'
import type { OutputTrack } from './output-track.ts'

export type OutputFile = {
  readonly tracks: readonly OutputTrack[]
  /** Container options and limits, written before the path. */
  readonly muxing: readonly string[]
  readonly path: string
}

/** The files that one run of ffmpeg makes. */
export type MadeFiles = OutputFile & {
  /** Further files, written by the same run from frames that are decoded anyway. */
  readonly beside?: readonly OutputFile[]
  /** Inputs and outputs written by hand, with a graph of their own or none, and the index of the first of these inputs. */
  readonly byHand?: ByHand
  /** Options of the run that say how the times of all inputs are read. */
  readonly timing?: readonly string[]
}

type CompileRequest = MadeFiles & { readonly threads: number; readonly maxPixels: number }

/** `read`: the inputs that come before these. */
export type ByHand = (read: readonly InputFile[]) => {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

export type CompiledCommand = {
  readonly args: readonly string[]
  /** Files to write into the job folder before the run: lists of files, and a graph that is too long for the command line. */
  readonly files: readonly TextFile[]
}

/** Used in place of a file's path: the output is read while the program runs, in place of its progress. */
export const standardOutput = 'pipe:1'

export class UnsplitStreamError extends Error {
  override name = 'UnsplitStreamError'
  constructor(filter: string) {
    super(`Output of "${filter}" is read twice; insert a split`)
  }
}

/** Linux accepts 128 KiB in one argument, and readers of the log do not want to see more than a page of graph. */
const maxInlineGraphChars = 16_384

/** Options of every command that reads a customer's file. */
export const guardedGlobals = ['-nostdin', '-hide_banner', '-v', 'error'] as const

/** The same for one that writes files, and tells how far it is. */
export const writingGlobals = [
  ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
] as const

/**
 * Allows only local files, this demuxer (and that of the files it reads) and its decoders, whatever the bytes ask for.
 */
export function guardedInput(path: string, demuxer: string, inner?: string): string[] {
  const allowed = [demuxer, ...(inner === undefined ? [] : [inner])].join(',')
  return [...guards('file', allowed, demuxer), '-f', demuxer, '-i', `file:${path}`]
}

/** For a file whose bytes are spread over several files of the job folder, whose names come from this service. */
export function guardedPieces(pieces: readonly string[], demuxer: string): string[] {
  const url = `concat:${pieces.join('|')}`
  return [...guards('file,concat', demuxer, demuxer), '-f', demuxer, '-i', url]
}

function guards(protocols: string, formats: string, demuxer: string): string[] {
  const allowed = ['-protocol_whitelist', protocols, '-format_whitelist', formats]
  return [...allowed, '-codec_whitelist', decodersOf(demuxer).join(',')]
}

export function compileArgs(request: CompileRequest): CompiledCommand {
  const files: readonly OutputFile[] = [request, ...(request.beside ?? [])]
  const tracks = files.flatMap((file) => file.tracks)
  const { read, filters } = sortGraph(tracks.map((track) => track.stream))
  const { inputs, indexOf } = openInputs(read, filters)
  const inputFiles = new Set(inputs)
  const label = labeller(indexOf, filters)
  const graph = filters.map((filter) => filterText(filter, label)).join(';')
  const isLong = graph.length > maxInlineGraphChars
  // Named after the output, because two programs may run in one folder.
  const graphPath = `${request.path}.graph`
  const graphArgs = isLong ? ['-filter_complex_script', graphPath] : ['-filter_complex', graph]
  const byHand = request.byHand?.(inputs)
  const args = [
    ...(request.path === standardOutput ? [...guardedGlobals, '-y'] : writingGlobals),
    ...(request.timing ?? []),
    ...inputs.flatMap((file) => inputArgs(file, inputFiles.size, request)),
    ...(byHand?.inputs ?? []),
    ...(graph === '' ? [] : ['-filter_complex_threads', String(request.threads), ...graphArgs]),
    ...files.flatMap((file) => outputArgs(file, label)),
    ...(byHand?.outputs ?? []),
  ]
  const texts = [
    ...[...inputFiles].flatMap(({ path, row, text = row?.list }) =>
      text === undefined ? [] : [{ path, text }],
    ),
    ...filters.flatMap(({ file }) => file ?? []),
  ]
  return { args, files: isLong ? [...texts, { path: graphPath, text: graph }] : texts }
}

/** The graph of one stream for a command written by hand: `[made]` is its output, and `input` its input. */
export function graphInto(made: string, stream: Stream, input = 0): string {
  const { filters } = sortGraph([stream])
  const places = new Map(filters.map((filter, i) => [filter, i]))
  const label: Labeller = ({ from, pad }) => {
    if (from.type === 'input') return `${input}:${pad}`
    return from === stream.from && pad === stream.pad ? made : `${made}f${places.get(from)}p${pad}`
  }
  return filters.map((filter) => filterText(filter, label)).join(';')
}

function outputArgs({ tracks, muxing, path }: OutputFile, label: Labeller): string[] {
  return [
    ...tracks.flatMap(({ stream, coding }) => [
      ...['-map', stream.from.type === 'input' ? label(stream) : `[${label(stream)}]`],
      ...coding,
    ]),
    ...(tracks.some(({ stream }) => stream.kind === 'subtitle') ? [] : ['-sn']),
    ...['-dn', '-map_metadata', '-1', '-map_chapters', '-1'],
    ...muxing,
    path === standardOutput ? path : `file:${path}`,
  ]
}

/**
 * The clips of a combined video are decoded one after the other, but each decoder keeps frames for each of its threads.
 */
function inputArgs(file: InputFile, inputCount: number, request: CompileRequest): string[] {
  const threads = inputCount > 4 ? Math.min(2, request.threads) : request.threads
  const caps = ['-threads', String(threads), '-max_pixels', String(request.maxPixels)]
  const { pieces, path, demuxer, row } = file
  const opened = pieces ? guardedPieces(pieces, demuxer) : guardedInput(path, demuxer, row?.demuxer)
  return [...caps, ...file.reading, ...opened]
}

/** A stream of a file. */
type ReadStream = { readonly from: InputFile; readonly kind: Stream['kind'] }

/** The files and filters that are read, in the order of their first use. The output of a filter may be read only once. */
function sortGraph(streams: readonly Stream[]): { read: ReadStream[]; filters: Filter[] } {
  const read: ReadStream[] = []
  const filters = new Map<Filter, Set<number>>()
  const visit = (stream: Stream): void => {
    const node = stream.from
    if (node.type === 'input') {
      read.push({ from: node, kind: stream.kind })
      return
    }
    const known = filters.get(node)
    if (known?.has(stream.pad)) throw new UnsplitStreamError(node.name)
    if (known) {
      known.add(stream.pad)
      return
    }
    node.inputs.forEach(visit)
    filters.set(node, new Set([stream.pad]))
  }
  streams.forEach(visit)
  return { read, filters: [...filters.keys()] }
}

type IndexOf = (stream: ReadStream) => number

/**
 * If sounds are mixed, a file is opened again for its sound. Otherwise a program reads it as far as its pictures are asked for,
 * which may be to its end while hardly any sound is made, and then reads no more of the other files: the sound ends there.
 */
function openInputs(read: readonly ReadStream[], filters: readonly Filter[]) {
  const isMixed = filters.some(({ name, inputs }) => {
    return name !== 'concat' && inputs.filter(({ kind }) => kind === 'audio').length > 1
  })
  const inputs: InputFile[] = []
  const [all, sounds] = [new Map<InputFile, number>(), new Map<InputFile, number>()]
  const openedFor = (kind: Stream['kind']) => (isMixed && kind === 'audio' ? sounds : all)
  for (const { from, kind } of read) {
    const opened = openedFor(kind)
    if (!opened.has(from)) opened.set(from, inputs.push(from) - 1)
  }
  const indexOf: IndexOf = ({ from, kind }) => openedFor(kind).get(from) ?? 0
  return { inputs, indexOf }
}

type Labeller = (stream: Stream) => string

function labeller(indexOf: IndexOf, filters: readonly Filter[]): Labeller {
  const filterIndex = new Map(filters.map((filter, i) => [filter, i]))
  return ({ from, kind, pad }) =>
    from.type === 'input' ? `${indexOf({ from, kind })}:${pad}` : `f${filterIndex.get(from)}p${pad}`
}

function filterText(filter: Filter, label: Labeller): string {
  const args = Object.entries(filter.args).map(
    ([key, value]) => `${key}=${escapeFilterValue(value)}`,
  )
  const head = filter.inputs.map((stream) => `[${label(stream)}]`).join('')
  const tail = filter.outputs.map((kind, pad) => `[${label({ kind, from: filter, pad })}]`).join('')
  return `${head}${filter.name}${args.length > 0 ? '=' : ''}${args.join(':')}${tail}`
}

/** Codecs that cameras, phones, editors and screen recorders have written into these containers. */
const videoDecoders = [
  ...['h264', 'hevc', 'libdav1d', 'av1', 'libaom-av1', 'vp8', 'libvpx', 'vp9', 'libvpx-vp9'],
  ...['mpeg4', 'mpeg1video', 'mpeg2video', 'mpegvideo', 'h261', 'h263', 'h263i', 'h263p', 'flv'],
  ...['msmpeg4v1', 'msmpeg4v2', 'msmpeg4', 'wmv1', 'wmv2', 'wmv3', 'vc1', 'vp6', 'vp6a', 'vp6f'],
  ...['vp3', 'theora', 'dirac', 'svq1', 'svq3', 'cinepak', 'indeo3', 'indeo5', 'msvideo1', 'msrle'],
  ...['prores', 'dnxhd', 'cfhd', 'dvvideo', 'mjpeg', 'mjpegb', 'jpeg2000', 'libopenjpeg', 'hap'],
  ...['ffv1', 'ffvhuff', 'huffyuv', 'utvideo', 'magicyuv', 'lagarith', 'zlib', 'qtrle', 'rpza'],
  ...['rawvideo', 'v210', 'v210x', 'v308', 'v408', 'v410', 'r210', 'r10k', 'ayuv', 'yuv4', 'y41p'],
  ...['camtasia', 'tscc2', 'fraps', 'flashsv', 'zmbv', 'smc', '8bps', 'png', 'gif', 'tiff'],
]

const soundDecoders = [
  ...['aac', 'aac_fixed', 'aac_latm', 'mp3float', 'mp3', 'mp2float', 'mp2', 'mp1float', 'mp1'],
  ...['ac3', 'ac3_fixed', 'eac3', 'dca', 'truehd', 'mlp', 'opus', 'libopus', 'vorbis', 'libvorbis'],
  ...['flac', 'alac', 'wavpack', 'tta', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb'],
  ...['wmav1', 'wmav2', 'wmapro', 'wmalossless', 'qdm2', 'qdmc', 'qcelp', 'evrc', 'gsm', 'gsm_ms'],
  ...['speex', 'libspeex', 'mace3', 'mace6', 'nellymoser', 'truespeech'],
  ...['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf', 'adpcm_yamaha', 'g726'],
  ...['pcm_alaw', 'pcm_mulaw', 'pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le'],
  ...['pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be'],
]

/** ffprobe gives up on a file with a stream that it may not decode, even if its text is not asked for. */
const captionDecoders = ['mov_text', 'webvtt']

const pictures = ['png', 'mjpeg', 'gif']

/** By demuxer; all others open videos. */
const narrower: Readonly<Record<string, readonly string[]>> = {
  png_pipe: ['png'],
  jpeg_pipe: ['mjpeg'],
  gif: ['gif'],
  webp_pipe: ['webp'],
  // MP3 and WAV files may hold a cover image.
  mp3: ['mp3float', 'mp3', ...pictures],
  wav: [...soundDecoders, ...pictures],
  flac: ['flac', ...pictures],
  f32le: ['pcm_f32le'],
  rawvideo: ['rawvideo'],
  webvtt: ['webvtt'],
}

/**
 * The decoders that a file may use, about half of those in ffmpeg. The rest are for games, calls and old screen
 * formats: code that hardly anybody runs or checks.
 */
export function decodersOf(demuxer: string): readonly string[] {
  return narrower[demuxer] ?? [...videoDecoders, ...soundDecoders, ...captionDecoders]
}
