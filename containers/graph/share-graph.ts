import type { Filter, InputFile, MediaKind, Stream, TextFile } from './filter-graph.ts'

type Node = InputFile | Filter

/**
 * Joins the graphs of several files into one. An input or a filter that several of them have is included once, so that its
 * pictures are decoded and processed once. If several filters read its output, a split distributes it.
 */
export function shareGraph(files: readonly (readonly Stream[])[]): Stream[][] {
  const merge = merger()
  const merged = files.map((streams, i) => streams.map((stream) => merge(stream, i)))
  return handOut(merged)
}

/** Returns one node for all equal ones: the same filter with the same arguments, applied to the same streams. */
function merger(): (stream: Stream, file: number) => Stream {
  const nodes = new Map<string, Node>()
  const numbers = new Map<Node, number>()
  const texts = new Map<string, string>()
  const seen = new Map<Node, Node>()
  const known = (key: string, make: () => Node): Node => {
    const node = nodes.get(key) ?? make()
    nodes.set(key, node)
    if (!numbers.has(node)) numbers.set(node, numbers.size)
    return node
  }
  const mergeNode = (node: Node, file: number): Node => {
    if (node.type === 'input') return known(JSON.stringify(node), () => ownInput(node, texts, file))
    const own = withOwnNames(node, file)
    const inputs = node.inputs.map((stream) => merge(stream, file))
    const read = inputs.map(({ kind, from, pad }) => [kind, numbers.get(from), pad])
    const key = JSON.stringify([own.name, own.args, own.file?.text, own.outputs, read])
    return known(key, () => Object.freeze({ ...withOwnFile(own, texts, file), inputs }))
  }
  const merge = (stream: Stream, file: number): Stream => {
    const from = seen.get(stream.from) ?? mergeNode(stream.from, file)
    seen.set(stream.from, from)
    return Object.freeze({ ...stream, from })
  }
  return merge
}

/** Commands reach every filter of a name, so the filters of two files need two names. */
function withOwnNames(filter: Filter, file: number): Filter {
  const own = (text: string) => text.replace(/@\w+/g, (name) => `${name}of${file}`)
  if (filter.name === 'sendcmd') {
    return { ...filter, args: { ...filter.args, c: own(String(filter.args['c'])) } }
  }
  return filter.name.includes('@') ? { ...filter, name: own(filter.name) } : filter
}

/** The graph of one of several files that are made in one run. It shares no filter with those of the others, and no name. */
export function ownGraph<Kind extends MediaKind>(stream: Stream<Kind>, file: number): Stream<Kind> {
  const copies = new Map<Filter, Filter>()
  const copyOf = (filter: Filter): Filter => {
    const known = copies.get(filter)
    if (known) return known
    const inputs = filter.inputs.map((input) => copied(input))
    const copy = Object.freeze({ ...withOwnNames(filter, file), inputs })
    copies.set(filter, copy)
    return copy
  }
  const copied = <Of extends MediaKind>(one: Stream<Of>): Stream<Of> =>
    one.from.type === 'input' ? one : Object.freeze({ ...one, from: copyOf(one.from) })
  return copied(stream)
}

/** If a file of this name already has another text, this one is written to a file of another name. */
function ownPath({ path: wanted, text }: TextFile, texts: Map<string, string>, file: number) {
  const isFree = (texts.get(wanted) ?? text) === text
  const path = isFree ? wanted : `${file}-${wanted}`
  texts.set(path, text)
  return path
}

function ownInput(node: InputFile, texts: Map<string, string>, file: number): InputFile {
  const { path, text } = node
  return text === undefined ? node : { ...node, path: ownPath({ path, text }, texts, file) }
}

function withOwnFile(filter: Filter, texts: Map<string, string>, file: number): Filter {
  const read = filter.file
  if (!read) return filter
  const path = ownPath(read, texts, file)
  const args = Object.fromEntries(
    Object.entries(filter.args).map(([name, value]) => [name, value === read.path ? path : value]),
  )
  return { ...filter, args, file: { ...read, path } }
}

/** Puts a split behind every output of a filter that is read more than once. Files may be read any number of times. */
function handOut(files: readonly (readonly Stream[])[]): Stream[][] {
  const readers = countReaders(files.flat())
  const rebuilt = new Map<Filter, Filter>()
  const splits = new Map<Filter, Map<number, { filter: Filter; next: number }>>()
  const rebuild = (stream: Stream): Stream => {
    const { from, pad, kind } = stream
    if (from.type === 'input') return stream
    const filter = rebuiltOf(from)
    const direct: Stream = { kind, from: filter, pad }
    const count = readers.get(from)?.get(pad) ?? 1
    if (count < 2) return direct
    const ofFilter = splits.get(from) ?? new Map<number, { filter: Filter; next: number }>()
    const split = ofFilter.get(pad) ?? { filter: splitOf(direct, count), next: 0 }
    splits.set(from, ofFilter.set(pad, split))
    return { kind, from: split.filter, pad: split.next++ }
  }
  const rebuiltOf = (from: Filter): Filter => {
    const known = rebuilt.get(from)
    if (known) return known
    const filter = { ...from, inputs: from.inputs.map(rebuild) }
    rebuilt.set(from, filter)
    return filter
  }
  return files.map((streams) => streams.map(rebuild))
}

function splitOf(stream: Stream, count: number): Filter {
  const name = stream.kind === 'audio' ? 'asplit' : 'split'
  const outputs = Array.from({ length: count }, () => stream.kind)
  return { type: 'filter', name, args: { outputs: count }, inputs: [stream], outputs }
}

function countReaders(streams: readonly Stream[]): Map<Filter, Map<number, number>> {
  const readers = new Map<Filter, Map<number, number>>()
  const visit = ({ from, pad }: Stream): void => {
    if (from.type === 'input') return
    const pads = readers.get(from)
    if (!pads) from.inputs.forEach(visit)
    const counted = pads ?? new Map<number, number>()
    counted.set(pad, (counted.get(pad) ?? 0) + 1)
    readers.set(from, counted)
  }
  streams.forEach(visit)
  return readers
}
