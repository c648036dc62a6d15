import type { InputFile, MediaKind, Stream } from './filter-graph.ts'

/** The stream as its file stores it, before all filters. */
export function storedStream<Kind extends MediaKind>(
  stream: Stream<Kind>,
): Stream<Kind> & { readonly from: InputFile } {
  const { from } = stream
  if (from.type === 'input') return { ...stream, from }
  const [input] = from.inputs
  if (!input) throw new Error('The stream does not come from a file')
  return { ...storedStream(input), kind: stream.kind }
}
