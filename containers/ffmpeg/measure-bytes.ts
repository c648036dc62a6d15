import type { MediaFacts } from '../timeline/media-facts.ts'
import { demuxers } from './measure-media.ts'
import { probeSections } from './probe/probe-sections.ts'
import type { ToolContext } from './process/run-tool.ts'

const binsInSecond = 2

/** How many bytes of picture a file has from its start up to a moment, in seconds. */
type SeenBytes = (seconds: number) => number

/** Adds up the packets of the picture, without decoding any. */
export async function measureBytes(
  tools: ToolContext,
  path: string,
  { format, video, durationSeconds }: MediaFacts,
): Promise<SeenBytes> {
  const bins = new Float64Array(Math.ceil(durationSeconds * binsInSecond) + 1)
  let first: number | undefined
  const asked = [
    ...['-select_streams', String(video.index)],
    ...['-show_entries', 'packet=pts_time,dts_time,size'],
  ]
  await probeSections(tools, { path, demuxer: demuxers[format] }, asked, (section) => {
    const at = Number(section.value('pts_time') ?? section.value('dts_time'))
    if (section.kind !== 'packet' || !Number.isFinite(at)) return
    first ??= at
    const bin = Math.floor((at - first + video.beginSeconds) * binsInSecond)
    const inFile = Math.min(bins.length - 1, Math.max(0, bin))
    bins[inFile] = (bins[inFile] ?? 0) + Number(section.value('size'))
  })
  return cumulative(bins)
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
