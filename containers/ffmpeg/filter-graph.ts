export type MediaKind = 'video' | 'audio'

export type InputFile = {
  readonly type: 'input'
  /** Name inside the job folder; ours, never the customer's. */
  readonly path: string
  /** Forced, so that bytes which changed their mind cannot choose another one. */
  readonly demuxer: string
  /** What raw samples do not say of themselves. */
  readonly reading: readonly string[]
}

/** A filter's options in the order they are written; numbers are printed plainly by the compiler. */
export type FilterArgs = Readonly<Record<string, string | number>>

export type Filter = {
  readonly type: 'filter'
  readonly name: string
  readonly args: FilterArgs
  readonly inputs: readonly Stream[]
  readonly outputs: readonly MediaKind[]
}

/** One edge of the graph: which pad of which node. `Kind` keeps audio out of video filters at compile time. */
export type Stream<Kind extends MediaKind = MediaKind> = {
  readonly kind: Kind
  readonly from: InputFile | Filter
  /** Of a file: the index among all its streams. */
  readonly pad: number
}

export function inputFile(
  path: string,
  demuxer: string,
  reading: readonly string[] = [],
): InputFile {
  return Object.freeze({ type: 'input', path, demuxer, reading })
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
  name: string,
  args: FilterArgs = {},
): Stream<Kind> {
  const [output] = connect(name, [input], [input.kind], args)
  return output
}

/** Applies several one-in one-out filters in a row. */
export function pipeAll<Kind extends MediaKind>(
  input: Stream<Kind>,
  filters: readonly (readonly [name: string, args?: FilterArgs])[],
): Stream<Kind> {
  return filters.reduce((stream, [name, args]) => pipe(stream, name, args), input)
}

/** A filter without inputs, such as a colour or silence. */
export function generate<Kind extends MediaKind>(
  kind: Kind,
  name: string,
  args: FilterArgs = {},
): Stream<Kind> {
  const [output] = connect(name, [], [kind], args)
  return output
}

/** Applies a filter with many inputs or outputs; `outputs` is a tuple, so callers destructure it safely. */
export function connect<const Kinds extends readonly MediaKind[]>(
  name: string,
  inputs: readonly Stream[],
  outputs: Kinds,
  args: FilterArgs = {},
): { [Index in keyof Kinds]: Stream<Kinds[Index]> } {
  const filter: Filter = Object.freeze({ type: 'filter', name, args, inputs, outputs })
  const streams = outputs.map((kind, pad) => Object.freeze({ kind, from: filter, pad }))
  // One stream per declared output, in their order: what the mapped tuple type says.
  return streams as { [Index in keyof Kinds]: Stream<Kinds[Index]> }
}
