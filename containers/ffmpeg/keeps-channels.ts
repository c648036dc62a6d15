import { probeSections, type ProbeSection } from './probe/probe-sections.ts'
import type { ToolContext } from './process/run-tool.ts'

type SoundTrack = {
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  readonly codec: string
}

/** Codecs in which every packet says how many channels it has; with others, the header says it for all. */
const looseCodecs = ['ac3', 'eac3', 'dts', 'mp2', 'mp3']

/**
 * Whether a sound has the same channels from start to end, and the same rate if it is a bare MP3: in a container, frames last
 * as long as that says. Decodes the sound if either may change.
 */
export async function keepsChannels(tools: ToolContext, track: SoundTrack): Promise<boolean> {
  if (!looseCodecs.includes(track.codec)) return true
  const shapes = new Set<string>()
  const isBare = track.demuxer === 'mp3'
  const entries = ['-show_entries', 'frame=nb_samples,pkt_duration_time,channels']
  const asked = ['-select_streams', String(track.streamIndex), ...entries]
  await probeSections(tools, track, asked, (frame) => {
    if (frame.kind !== 'frame') return
    shapes.add(`${frame.value('channels')} ${isBare ? rateOf(frame) : ''}`)
  })
  return shapes.size < 2
}

const mp3Rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

/** ffprobe names the rate of a stream, not of a frame; the time of one is rounded to microseconds. */
function rateOf(frame: ProbeSection): number {
  const rate = Number(frame.value('nb_samples')) / Number(frame.value('pkt_duration_time'))
  const apart = (one: number): number => Math.abs(one - rate)
  return mp3Rates.reduce((best, one) => (apart(one) < apart(best) ? one : best), 48_000)
}
