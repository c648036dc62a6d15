import type { PictureFilter } from '../../worker/contract/job/part-spec.ts'

export type MediaKind = 'video' | 'audio' | 'subtitle'

export type InputFile = {
  readonly type: 'input'
  /** Name inside the job folder; chosen by this service, never by the customer. */
  readonly path: string
  /** Forced, so that the bytes of the file cannot select another demuxer. */
  readonly demuxer: string
  /** Reading options, such as the format of raw samples. */
  readonly reading: readonly string[]
  /** Several files that are read one after the other as this input; `path` is then their list, written before the run. */
  readonly row?: FileRow
  /** Several files whose bytes, one after the other, make up this input; `path` is then the first of them. */
  readonly pieces?: readonly string[]
  /** The content of the file, if it is written before the run. */
  readonly text?: string
}

type FileRow = {
  /** The demuxer of each of the files. */
  readonly demuxer: string
  readonly list: string
}

/** A file of a row, and how long after its start the next file begins. */
type RowFile = { readonly path: string; readonly seconds: number }

/** A filter of pictures; `lutyuv@element0` is one that commands are sent to. */
type PictureFilterName = PictureFilter | `${PictureFilter}@${string}`

/** Only these filters can be named, because each filter of pictures needs a rule for windows of a film. */
type FilterName<Kind extends MediaKind> = 'video' extends Kind ? PictureFilterName : string

/** A filter's options in the order in which they are written; the compiler formats the numbers. */
type FilterArgs = Readonly<Record<string, string | number>>

/** A file that a program reads besides its inputs, written into the job folder before the run. */
export type TextFile = { readonly path: string; readonly text: string }

export type Filter = {
  readonly type: 'filter'
  /** The file that this filter reads. */
  readonly file?: TextFile | undefined
  readonly name: string
  readonly args: FilterArgs
  readonly inputs: readonly Stream[]
  readonly outputs: readonly MediaKind[]
}

/** One edge of the graph: which pad of which node. `Kind` keeps audio out of video filters at compile time. */
export type Stream<Kind extends MediaKind = MediaKind> = {
  readonly kind: Kind
  readonly from: InputFile | Filter
  /** For a file: the index among all of its streams. */
  readonly pad: number
}

/** A file that this service writes itself, such as captions. */
export function writtenFile(path: string, demuxer: string, text: string): InputFile {
  return Object.freeze({ type: 'input', path, demuxer, reading: [], text })
}

export function inputFile(
  path: string,
  demuxer: string,
  reading: readonly string[] = [],
): InputFile {
  return Object.freeze({ type: 'input', path, demuxer, reading })
}

/** One MP4 whose bytes are spread over several files of the job folder. */
export function fileInPieces(pieces: readonly [string, ...string[]], beginSeconds = 0): InputFile {
  // Without this, a parser of ffmpeg would take other pictures for key pictures than the file names.
  const reading = ['-fflags', 'noparse', ...beginningAt(beginSeconds)]
  return Object.freeze({ type: 'input', path: pieces[0], demuxer: 'mov', reading, pieces })
}

/** ffmpeg counts the times of each input from its first packet: this adds what it subtracts. */
export function beginningAt(seconds: number): string[] {
  return seconds === 0 ? [] : ['-itsoffset', seconds.toFixed(6)]
}

/** Several files as one input: their packets are unchanged, and each file starts where the one before it ends. */
export function filesInRow(path: string, demuxer: string, files: readonly RowFile[]): InputFile {
  const lines = files.flatMap((file) => [
    `file '${file.path}'`,
    `duration ${file.seconds.toFixed(6)}`,
  ])
  const list = `${['ffconcat version 1.0', ...lines].join('\n')}\n`
  // Packets stay as they are stored. If ffmpeg analysed the streams first, it would count the times of the row from its
  // first sound.
  const reading = ['-auto_convert', '0', '-nofind_stream_info']
  return Object.freeze({ type: 'input', path, demuxer: 'concat', reading, row: { demuxer, list } })
}

export function streamOf<Kind extends MediaKind>(
  file: InputFile,
  kind: Kind,
  index: number,
): Stream<Kind> {
  return Object.freeze({ kind, from: file, pad: index })
}

/** Applies a filter with one input and one output of the same kind. */
export function pipe<Kind extends MediaKind>(
  input: Stream<Kind>,
  name: FilterName<Kind>,
  args: FilterArgs = {},
): Stream<Kind> {
  const [output] = connectAny(name, [input], [input.kind], args)
  return output
}

/** Applies several one-in one-out filters in a row. */
export function pipeAll<Kind extends MediaKind>(
  input: Stream<Kind>,
  filters: readonly (readonly [name: FilterName<Kind>, args?: FilterArgs])[],
): Stream<Kind> {
  return filters.reduce((stream, [name, args]) => pipe(stream, name, args), input)
}

/** A filter without inputs, such as a colour or silence. */
export function generate<Kind extends MediaKind>(
  kind: Kind,
  name: FilterName<Kind>,
  args: FilterArgs,
): Stream<Kind> {
  const [output] = connectAny(name, [], [kind], args)
  return output
}

/** A single picture of this size, made black in this form of pixels and then drawn by the filter. */
export function onePicture(
  { width, height }: { readonly width: number; readonly height: number },
  pixels: string,
  drawing: readonly [name: FilterName<'video'>, args: FilterArgs],
): Stream<'video'> {
  return pipeAll(generate('video', 'color', { c: 'black', s: `${width}x${height}` }), [
    ['trim', { end_frame: 1 }],
    ['format', { pix_fmts: pixels }],
    drawing,
  ])
}

/** Applies a filter with many inputs or outputs; `outputs` is a tuple, so callers destructure it safely. */
export function connect<const Kinds extends readonly MediaKind[]>(
  name: FilterName<Kinds[number]>,
  inputs: readonly Stream[],
  outputs: Kinds,
  args: FilterArgs = {},
  file?: TextFile,
): Outputs<Kinds> {
  return connectAny(name, inputs, outputs, args, file)
}

type Outputs<Kinds extends readonly MediaKind[]> = {
  [Index in keyof Kinds]: Stream<Kinds[Index]>
}

function connectAny<const Kinds extends readonly MediaKind[]>(
  name: string,
  inputs: readonly Stream[],
  outputs: Kinds,
  args: FilterArgs,
  file?: TextFile,
): Outputs<Kinds> {
  const filter: Filter = Object.freeze({ type: 'filter', name, args, inputs, outputs, file })
  const streams = outputs.map((kind, pad) => Object.freeze({ kind, from: filter, pad }))
  // One stream per declared output, in order, as the mapped tuple type says.
  return streams as Outputs<Kinds>
}
