import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { InputFile, Stream } from '../../graph/filter-graph.ts'
import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import { PartRefusal } from '../part-refusal.ts'
import { isRepeated } from './times-of.ts'
import type { FileTable, FileTables } from './window.ts'

/** Reads when the pictures of all files of a graph are shown, and where a decoder can begin. Decodes nothing. */
export async function readFileTables(
  tools: ToolContext,
  stream: Stream<'video'>,
): Promise<FileTables> {
  const tables = new Map<string, FileTable>()
  for (const { from, pad } of storedIn(stream)) {
    if (isRepeated(from) || tables.has(from.path)) continue
    const file = { format: formatOf(from.demuxer), video: { index: pad } }
    tables.set(from.path, tableOf(await readPackets(tools, from.path, file)))
  }
  return tables
}

type StoredStream = Stream & { readonly from: InputFile }

/** The streams of files that a graph reads. */
export function storedIn(stream: Stream): StoredStream[] {
  const found = new Map<string, StoredStream>()
  const seen = new Set<Stream['from']>()
  const visit = ({ from, ...rest }: Stream): void => {
    if (from.type === 'input') {
      found.set(`${from.path} ${rest.pad}`, { ...rest, from })
      return
    }
    if (seen.has(from)) return
    seen.add(from)
    from.inputs.forEach(visit)
  }
  visit(stream)
  return [...found.values()]
}

function formatOf(demuxer: string): VideoFormat {
  const [format] = (Object.keys(demuxers) as VideoFormat[]).filter(
    (name) => demuxers[name] === demuxer,
  )
  if (!format) throw new PartRefusal('it is made of a file of another kind')
  return format
}

function tableOf({ shownAt, keys, hidden, isWhole, hasDescriptions }: Packets): FileTable {
  if (!isWhole || hasDescriptions) throw new PartRefusal('its source changes midway')
  const shown = shownAt.filter((_, i) => hidden[i] !== 1)
  if (shown.length === 0 || shown.some((at) => !Number.isFinite(at)))
    throw new PartRefusal('its source does not say when its pictures are shown')
  const begins = shownAt.filter((at, i) => keys[i] === 1 && at >= 0)
  return { times: shown.sort(), keys: begins.sort() }
}
