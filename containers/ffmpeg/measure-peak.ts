import type { MediaFacts } from '../timeline/media-facts.ts'
import { demuxers } from './measure-media.ts'
import { probeSections } from './probe/probe-sections.ts'
import type { ToolContext } from './process/run-tool.ts'

/** How many bits the packets of any second of a file take, pictures and sound together. */
export async function measurePeak(
  tools: ToolContext,
  path: string,
  { format }: Pick<MediaFacts, 'format'>,
): Promise<number> {
  const packets: { at: number; bits: number }[] = []
  const asked = ['-show_entries', 'packet=pts_time,dts_time,size']
  await probeSections(tools, { path, demuxer: demuxers[format] }, asked, (section) => {
    const at = Number(section.value('pts_time') ?? section.value('dts_time'))
    const bits = Number(section.value('size')) * 8
    if (section.kind === 'packet' && Number.isFinite(at)) packets.push({ at, bits })
  })
  packets.sort((one, other) => one.at - other.at)
  let [from, inSecond, most] = [0, 0, 0]
  for (const { at, bits } of packets) {
    inSecond += bits
    for (let first = packets[from]; first && first.at <= at - 1; first = packets[from]) {
      inSecond -= first.bits
      from++
    }
    most = Math.max(most, inSecond)
  }
  return most
}
