import type { PartSpec } from '../../../worker/contract/job/part-spec.ts'
import {
  connect,
  inputFile,
  streamOf,
  type InputFile,
  type Stream,
} from '../../graph/filter-graph.ts'

type Ref = PartSpec['picture']

/** Builds the graph of a part from its spec, using only what the schema allows. */
export function readGraph({ nodes, texts, picture }: PartSpec): Stream<'video'> {
  const built: (InputFile | readonly Stream<'video'>[])[] = []
  const streamAt = ({ node, pad }: Ref): Stream<'video'> => {
    const from = built[node]
    if (from && 'type' in from) return streamOf(from, 'video', pad)
    const stream = from?.[pad]
    if (!stream) throw new Error('A part reads an output that no filter has')
    return stream
  }
  for (const node of nodes)
    built.push(node.type === 'input' ? openInput(node) : makeFilter(node, texts, streamAt))
  return streamAt(picture)
}

function openInput(node: Extract<PartSpec['nodes'][number], { type: 'input' }>): InputFile {
  const { seekSeconds, decoder } = node
  const seek = seekSeconds === undefined ? [] : ['-noaccurate_seek', '-ss', seekSeconds.toFixed(6)]
  return inputFile(node.file, node.demuxer, [
    ...(node.isLooped ? ['-stream_loop', '-1'] : []),
    ...(decoder === undefined ? [] : ['-c:v', decoder]),
    ...(node.keepsTurn ? ['-noautorotate'] : []),
    ...(node.holdsSize ? ['-reinit_filter:v', '0'] : []),
    ...seek,
  ])
}

function makeFilter(
  { name, instance, args, inputs, outputs }: Extract<PartSpec['nodes'][number], { type: 'filter' }>,
  texts: PartSpec['texts'],
  streamAt: (ref: Ref) => Stream<'video'>,
): readonly Stream<'video'>[] {
  const known = Object.fromEntries(args)
  const file = texts.find((text) => text.name === known.filename)
  return connect(
    instance === undefined ? name : `${name}@${instance}`,
    inputs.map(streamAt),
    Array.from({ length: outputs }, () => 'video' as const),
    known,
    file && { path: file.name, text: file.text },
  )
}
