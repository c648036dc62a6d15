import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import { probeSections, type ProbeSection } from '../../ffmpeg/probe/probe-sections.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { compareBytes, earliest, faultOfPackets, type Expected } from './compare-packets.ts'
import { comparePictures } from './compare-pictures.ts'
import type { Cutting, CutResult } from '../cut-model.ts'
import type { Samples } from '../mp4/film.ts'
import { readPackets } from '../mp4/read-packets.ts'
import { keepsHiddenFrames } from '../vp9/hidden-frames.ts'
import { packetFiles } from '../plan/cutting.ts'
import { mostRoundingSeconds } from '../../timeline/frame-rate.ts'
import { shownPictures } from '../plan/kept-pictures.ts'
import { unitFaults } from '../plan/unit-faults.ts'

/**
 * Finds the fault of a film that was cut without encoding. Undefined if it has every picture at its time and no other, all
 * copied packets byte for byte, pictures at the seams that look like those of the source, and sound as long as the pictures.
 */
export async function faultOfFilm(
  tools: ToolContext,
  result: CutResult,
  cutting: Cutting,
  samples: Samples,
): Promise<string | undefined> {
  const found = await readPackets(tools, result.name, result.facts, samples.sizes.length + 1)
  const expected = expectedOf(cutting, samples)
  const { endSeconds } = cutting
  const fault =
    faultOfPackets(found, expected) ??
    faultOfShown(found) ??
    (await faultOfLengths(tools, result, {
      ...{ picture: endSeconds, sound: endSeconds, firstAt: earliest(expected.shownAt) },
    }))
  if (fault !== undefined) return fault
  const written = { path: result.name, packing: found }
  const { source, pieces } = cutting
  if (source.codec === 'vp9' && (await keepsHiddenFrames(tools, written, pieces))) {
    return 'it has a hidden frame that is not shown'
  }
  const faultOfUnits = unitFaults(cutting)
  return (
    (await compareBytes(tools, { names: packetFiles(cutting), ...expected }, written, (bytes, at) =>
      at.file < source.files.length ? faultOfUnits(bytes, at.count) : undefined,
    )) ??
    (await comparePictures(tools, cutting, {
      ...result,
      packing: { ...found, keys: samples.entries },
    }))
  )
}

/** Times in WebM are whole milliseconds; other containers keep them as given. */
const roundingSeconds = { webm: mostRoundingSeconds, mp4: 0.0001, mov: 0.0001, avi: 0 } as const

/** The packets that a cut should have. */
function expectedOf({ source: { facts, timescale } }: Cutting, samples: Samples): Expected {
  const shownAt = samples.shown.map((tick) => tick / timescale)
  return { ...samples, shownAt, roundingSeconds: roundingSeconds[facts.format] }
}

function faultOfShown(found: Packets): string | undefined {
  if (found.hidden.includes(1)) return 'some of its pictures are left out'
  const { packets } = shownPictures(found)
  const isSame = (packet: number, i: number): boolean =>
    i > 0 && !((found.shownAt[packet] ?? 0) > (found.shownAt[packets[i - 1] ?? 0] ?? 0))
  return packets.some(isSame) ? 'two pictures have the same time' : undefined
}

const mostApartSeconds = 0.01

/** In seconds; a track is skipped if its end is unknown. */
type TrackEnds = {
  readonly picture: number | undefined
  readonly sound: number | undefined
  /** When the first picture is due. */
  readonly firstAt: number
}

/** Compares when pictures and sound end, as the header tells players. */
export async function faultOfLengths(
  tools: ToolContext,
  { name, facts, told }: CutResult,
  { firstAt, ...wanted }: TrackEnds,
): Promise<string | undefined> {
  const tracks =
    told?.of === name ? tracksIn(told.streams) : await readTracks(tools, name, facts.format)
  const begin = tracks.get(facts.video.index)?.start ?? Number.NaN
  for (const [what, track] of [
    ['picture', facts.video],
    ['sound', facts.audio],
  ] as const) {
    const endSeconds = wanted[what]
    const { start = Number.NaN, length = Number.NaN, ends } = tracks.get(track?.index ?? -1) ?? {}
    // An end given by a tag counts from the start of the file, not from its first picture.
    const end = ends === undefined ? start + length : ends - (begin - firstAt)
    const off = track && endSeconds !== undefined ? end - endSeconds : 0
    if (!(Math.abs(off) <= mostApartSeconds))
      return `its ${what} is ${inWords(off)} than it has to be`
  }
  return undefined
}

/** When the tracks of a file begin and how long they are, as the header tells players. */
export async function readTracks(
  tools: ToolContext,
  name: string,
  format: VideoFormat,
): Promise<ReadonlyMap<number, PacketTrack>> {
  const asked = ['-show_entries', 'stream=index,start_time,duration:stream_tags=DURATION']
  const streams: ProbeSection[] = []
  await probeSections(tools, { path: name, demuxer: demuxers[format] }, asked, (section) => {
    if (section.kind === 'stream') streams.push(section)
  })
  return tracksIn(streams)
}

function tracksIn(streams: readonly ProbeSection[]): ReadonlyMap<number, PacketTrack> {
  return new Map(streams.map((stream) => [Number(stream.value('index')), trackOf(stream)]))
}

/** `ends` is what a tag such as `DURATION=00:00:04.007` says. */
type PacketTrack = { start: number; length: number; ends: number | undefined }

function trackOf(section: ProbeSection): PacketTrack {
  const [, hours, minutes, seconds] =
    /^(\d+):(\d+):([\d.]+)$/.exec(section.value('tag:DURATION') ?? '') ?? []
  return {
    start: Number(section.value('start_time')),
    length: Number(section.value('duration')),
    ends:
      seconds === undefined
        ? undefined
        : (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds),
  }
}

function inWords(seconds: number): string {
  return `${Math.round(Math.abs(seconds) * 1000)} ms ${seconds > 0 ? 'longer' : 'shorter'}`
}
