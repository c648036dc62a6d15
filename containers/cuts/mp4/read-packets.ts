import path from 'node:path'
import { measurePacking, type Packets } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { MediaFacts, VideoFacts } from '../../timeline/media-facts.ts'
import { readIndex } from './read-index.ts'

/** Reads the index of an MP4; a program reads the packets of other files, and of an MP4 whose index is not enough. */
export async function readPackets(
  tools: ToolContext,
  name: string,
  file: Pick<MediaFacts, 'format'> & { readonly video: Pick<VideoFacts, 'index'> },
  mostPackets?: number,
): Promise<Packets> {
  const isMp4 = file.format === 'mp4' || file.format === 'mov'
  const tracks = isMp4 ? await readIndex(path.join(tools.folder, name)) : undefined
  const track = tracks?.[file.video.index]
  if (!track) return measurePacking(tools, name, file, mostPackets)
  return { ...track, shownAt: track.at, isWhole: true, hasDescriptions: false }
}
