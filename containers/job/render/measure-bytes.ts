import path from 'node:path'
import { readIndex } from '../../cuts/mp4/read-index.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { probeSections } from '../../ffmpeg/probe/probe-sections.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'

const binsInSecond = 2

/** How many bytes of picture a file has from its start up to a moment, in seconds. */
type SeenBytes = (seconds: number) => number
type OnPacket = (at: number, size: number) => void

/** Adds up the packets of the picture, without decoding any. */
export async function measureBytes(
  tools: ToolContext,
  name: string,
  facts: MediaFacts,
): Promise<SeenBytes> {
  const { video, durationSeconds } = facts
  const bins = new Float64Array(Math.ceil(durationSeconds * binsInSecond) + 1)
  let first: number | undefined
  await eachPacket(tools, { name, facts }, (at, size) => {
    first ??= at
    const bin = Math.floor((at - first + video.beginSeconds) * binsInSecond)
    const inFile = Math.min(bins.length - 1, Math.max(0, bin))
    bins[inFile] = (bins[inFile] ?? 0) + size
  })
  return cumulative(bins)
}

/** The index of an MP4 tells of them without a program, whose start takes longer than most of its work. */
async function eachPacket(
  tools: ToolContext,
  { name, facts: { format, video } }: { readonly name: string; readonly facts: MediaFacts },
  onPacket: OnPacket,
): Promise<void> {
  const isMp4 = format === 'mp4' || format === 'mov'
  const index = isMp4 ? await readIndex(path.join(tools.folder, name)) : undefined
  const track = index?.[video.index]
  if (track) return track.at.forEach((at, i) => onPacket(at, track.sizes[i] ?? 0))
  const asked = [
    ...['-select_streams', String(video.index)],
    ...['-show_entries', 'packet=pts_time,dts_time,size'],
  ]
  await probeSections(tools, { path: name, demuxer: demuxers[format] }, asked, (section) => {
    const at = Number(section.value('pts_time') ?? section.value('dts_time'))
    if (section.kind === 'packet' && Number.isFinite(at))
      onPacket(at, Number(section.value('size')))
  })
}

function cumulative(bins: Float64Array): SeenBytes {
  const before = new Float64Array(bins.length + 1)
  bins.forEach((bytes, i) => (before[i + 1] = (before[i] ?? 0) + bytes))
  return (seconds) => {
    const at = Math.min(bins.length, Math.max(0, seconds * binsInSecond))
    const bin = Math.floor(at)
    return (before[bin] ?? 0) + (at - bin) * (bins[bin] ?? 0)
  }
}
