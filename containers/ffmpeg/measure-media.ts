import path from 'node:path'
import type { SourceFormat, VideoFormat } from '../../worker/contract/video/sniff-format.ts'
import { JobError } from '../errors/job-error.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { coordinatesOf } from '../timeline/coordinates.ts'
import type { MediaFacts, TurnMatrix } from '../timeline/media-facts.ts'
import { markedScan, progressiveScan, type Scan } from '../timeline/scan-facts.ts'
import { tooLong, type HeldFile } from '../claims/source-limits.ts'
import { decodePicture, pictureBeside, readTurn, type DecodedPicture } from './decode-picture.ts'
import { identifyFile } from './identify-file.ts'
import {
  audioFacts,
  claimedPictures,
  claimsConstantRate,
  isEncrypted,
  lateSecondsOf,
  pickAudio,
  pickVideo,
  videoFacts,
  type ClaimedPictures,
} from './probe/stream-facts.ts'
import type { PacketStatistics, Rhythm } from './probe/packet-statistics.ts'
import { probeFile, statisticsOf, type Probed } from './probe/probe-file.ts'
import type { ProbedStream } from './probe/probe-output.ts'
import type { ProbeSection } from './probe/probe-sections.ts'
import type { ToolContext } from './process/run-tool.ts'
import { measureScan } from './scan/measure-scan.ts'
import { scanPackets, findEnd, type StreamEnd } from './probe/scan-packets.ts'

export type Claimed = { readonly durationSeconds: number; readonly video: ClaimedPictures }

export type MeasureRequest = {
  /** Name inside the job folder. */
  readonly path: string
  /** The request field that a message about the file names. */
  readonly field: string
  readonly maxSeconds: number
  /** Our own ffmpeg has just written it, at a steady rate, so its header is believed. */
  readonly isOurs?: boolean
  /** The file is here only in part: its tables are, or its header, and they are believed. */
  readonly isPartial?: boolean
  /** Our own ffmpeg has just written it: the limits of sources do not apply. */
  readonly isResult?: boolean
  /** Called with what the header claims, long before everything is measured. */
  readonly onClaim?: (claimed: Claimed) => void
  /** Called with each stream of the file, as ffprobe describes it. */
  readonly onStream?: (stream: ProbeSection) => void
  /** Whether it is known that no picture declares a rotation, so that none has to be decoded. */
  readonly isUpright?: boolean
  /** How the lines of a result belong together; known from its source, so it is not measured again. */
  readonly scan?: Scan
}

/** The only demuxer that may open each format. */
export const demuxers: Record<VideoFormat, string> = {
  mp4: 'mov',
  mov: 'mov',
  avi: 'avi',
  webm: 'matroska',
}

/** Matroska is read like WebM, whatever codecs it has. Packets of all other containers were put into one of these before. */
function readableFormat(format: SourceFormat): VideoFormat {
  if (format === 'mkv') return 'webm'
  if (format in demuxers) return format as VideoFormat
  throw new Error(`A source in ${format} is measured once it is in another container`)
}

/**
 * Finds out what a file really is. Its bytes count more than its name, its packets more than its header, and its claims
 * are counted before any program opens it.
 */
export async function measureMedia(
  tools: ToolContext,
  request: MeasureRequest,
): Promise<MediaFacts> {
  const file = path.join(tools.folder, request.path)
  const identified = await identifyFile(file, request.field)
  const { sizeBytes } = identified
  const format = readableFormat(identified.format)
  const { field, maxSeconds } = request
  const held = request.isResult ? undefined : { field, sizeBytes, maxSeconds }
  if (held) await checkClaims(file, format, held, tools.signal)
  const found: Identity = { format, sizeBytes, demuxer: demuxers[format], held }
  // The first failure ends the other programs.
  const end = new AbortController()
  const together = { ...tools, signal: AbortSignal.any([tools.signal, end.signal]) }
  try {
    return await measureFound(together, request, found)
  } finally {
    end.abort()
  }
}

async function measureFound(
  tools: ToolContext,
  request: MeasureRequest,
  identity: Identity,
): Promise<MediaFacts> {
  const { format, sizeBytes, demuxer } = identity
  const { path: file, field, maxSeconds, onStream } = request
  const isBelieved = request.isOurs || request.isPartial || false
  const asked = { path: file, field, demuxer, sizeBytes, isBelieved, onStream }
  const probed = await probeFile(tools, asked)
  const video = checkedVideo(probed, request, tools.maxPixels)
  const audio = checkedAudio(probed, request)
  const durationSeconds = probed.format.duration ?? video.duration ?? 0
  request.onClaim?.({ durationSeconds, video: claimedPictures(video) })
  const found = { ...identity, path: file, probed, video, audio }
  const packetsOf = packetReader(tools, request, found)
  const [{ picture, wholeSeconds, claimedSeconds }, rhythm, { scan, ownTurn }] = await Promise.all([
    findTimes(tools, request, { ...found, packetsOf }),
    findUnclearRhythm(request, { ...found, packetsOf }),
    look(tools, request, found),
  ])
  const coordinates = coordinatesOf(probed.format.tags)
  if (wholeSeconds > maxSeconds) throw tooLong(request, wholeSeconds)
  const countedFps = picture.packets && picture.packets / Math.max(picture.endSeconds, 0.001)
  return {
    format,
    sizeBytes,
    durationSeconds: wholeSeconds,
    ...brokenPromise(claimedSeconds, wholeSeconds),
    video: videoFacts(video, {
      beginSeconds: Math.max(0, (video.start_time ?? 0) - (probed.format.start_time ?? 0)),
      endSeconds: picture.endSeconds,
      lateSeconds: lateSecondsOf(video, format),
      countedFps,
      rhythm,
      scan,
      ownTurn,
    }),
    audio: audio && audioFacts(audio),
    ...(coordinates && { coordinates }),
  }
}

/** Reads what only the pictures tell: how their lines belong together, and how they are turned. */
async function look(
  tools: ToolContext,
  request: MeasureRequest,
  found: FoundStreams & { path: string },
): Promise<{ scan: Scan; ownTurn: TurnMatrix | undefined }> {
  const { path: file, field, isOurs, isPartial, isUpright } = request
  const { video, probed, demuxer } = found
  if (isOurs || isUpright) return { scan: request.scan ?? progressiveScan, ownTurn: undefined }
  if (isPartial) return { scan: request.scan ?? markedScan(video.field_order), ownTurn: undefined }
  const claimedSeconds = video.duration ?? probed.format.duration ?? 0
  // Starting a program takes longer than decoding the first picture, so the run that examines the lines does that too.
  const { byHand, seen } = pictureBeside(tools, { path: file, demuxer })
  const scan =
    request.scan ??
    (await measureScan(tools, video, { path: file, demuxer, claimedSeconds, byHand }))
  const decoded = (await seen()) ?? (await decodePicture(tools, { path: file, demuxer, field }))
  return { scan, ownTurn: await turnOf(tools, requireDecoded(decoded, request, video), found) }
}

async function turnOf(
  tools: ToolContext,
  { saysTurn }: DecodedPicture,
  { path: file, video, demuxer }: FoundStreams & { path: string },
) {
  if (!saysTurn) return undefined
  return readTurn(tools, { path: file, demuxer, streamIndex: video.index })
}

/** Headers are often off by a little; a larger difference is reported. */
const missedSeconds = 1
const missedShare = 0.1

export function brokenPromise(
  promisedSeconds: number,
  wholeSeconds: number,
): Pick<MediaFacts, 'promisedSeconds'> {
  const missing = promisedSeconds - wholeSeconds
  const isBroken = missing > Math.max(missedSeconds, promisedSeconds * missedShare)
  return isBroken ? { promisedSeconds } : {}
}

type Identity = {
  format: VideoFormat
  sizeBytes: number
  demuxer: string
  held: HeldFile | undefined
}

function checkedVideo(probed: Probed, { field }: MeasureRequest, maxPixels: number) {
  const video = pickVideo(probed.streams)
  if (!video) throw undecodable(field, 'the file has no picture.')
  if (isEncrypted(probed.packets, video)) throw undecodable(field, 'the video is encrypted.')
  const { width = 0, height = 0 } = video
  if (width * height > maxPixels) {
    throw new JobError(
      'source_too_large',
      `${field}: the picture is ${width} × ${height}; at most ${maxPixels} pixels are allowed.`,
    )
  }
  return video
}

export function checkedAudio(
  probed: Probed,
  { field }: Pick<MeasureRequest, 'field'>,
): ProbedStream | undefined {
  const audio = pickAudio(probed.streams)
  if (!audio) return undefined
  if (isEncrypted(probed.packets, audio)) throw undecodable(field, 'the sound is encrypted.')
  if (audio.codec_name === undefined || !audio.sample_rate || !audio.channels) {
    throw undecodable(field, 'the sound is damaged or of an unknown kind.')
  }
  return audio
}

type FoundStreams = Identity & {
  probed: Probed
  video: ProbedStream
  audio: ProbedStream | undefined
}

type PacketReader = (stream: ProbedStream) => Promise<PacketStatistics>

/** Reads all packets of a stream once, however many callers ask for them. */
function packetReader(
  tools: ToolContext,
  { path: file }: MeasureRequest,
  { probed, demuxer, held }: FoundStreams,
): PacketReader {
  const read = new Map<number, Promise<PacketStatistics>>()
  const scan: PacketReader = async ({ index: streamIndex }) => {
    if (probed.isWhole) return statisticsOf(probed.packets, streamIndex)
    const { start_time: startSeconds = 0 } = probed.format
    return scanPackets(tools, { path: file, demuxer, streamIndex, startSeconds, held })
  }
  return async (stream) => {
    const known = read.get(stream.index) ?? scan(stream)
    read.set(stream.index, known)
    return known
  }
}

/** `claimedSeconds` is what the headers say about `wholeSeconds`; 0 if they say nothing. */
type MediaTimes = { picture: StreamEnd; wholeSeconds: number; claimedSeconds: number }

/** The last packet of a sound may extend beyond the sound itself by this much. */
const paddingSeconds = 0.05

/** Ignores other audio tracks, subtitles and data that last longer: they are neither seen nor heard. */
async function findTimes(
  tools: ToolContext,
  { path: file, isOurs, isPartial }: MeasureRequest,
  { probed, video, audio, demuxer, held, packetsOf }: FoundStreams & { packetsOf: PacketReader },
): Promise<MediaTimes> {
  const { start_time: startSeconds = 0 } = probed.format
  const claimOf = ({ start_time = startSeconds, duration }: ProbedStream): number | undefined =>
    duration === undefined ? claimedLength(probed) : start_time - startSeconds + duration
  const endOf = async (stream: ProbedStream, claimedSeconds: number | undefined) =>
    findEnd(tools, {
      ...{ path: file, demuxer, startSeconds, held, claimedSeconds, streamIndex: stream.index },
      isRead: probed.isWhole,
      allPackets: async () => packetsOf(stream),
    })
  const seen = claimOf(video)
  const heard = (audio && claimOf(audio)) ?? 0
  const claimedSeconds = Math.max(seen ?? 0, heard)
  if ((isOurs || isPartial) && seen !== undefined) {
    const picture = { endSeconds: seen, packets: undefined }
    return { picture, wholeSeconds: claimedSeconds, claimedSeconds }
  }
  const picture = await endOf(video, seen)
  // Only the sound can last longer than the picture, and its header may be wrong too.
  const isLonger = audio !== undefined && heard > picture.endSeconds + paddingSeconds
  const soundSeconds = isLonger ? (await endOf(audio, heard)).endSeconds : heard
  return { picture, wholeSeconds: Math.max(soundSeconds, picture.endSeconds), claimedSeconds }
}

/** The length that the header of a file gives. Matroska that begins late counts it from zero all the same. */
export function claimedLength({ format }: Probed): number | undefined {
  const { start_time: startSeconds = 0, duration } = format
  return duration === undefined ? undefined : duration - Math.max(0, startSeconds)
}

/** Reads the packets if the header leaves the rhythm of the pictures unclear; AVI always has a constant rate. */
async function findUnclearRhythm(
  { isOurs, isPartial }: MeasureRequest,
  { video, format, packetsOf }: FoundStreams & { packetsOf: PacketReader },
): Promise<Rhythm | undefined> {
  const isClear = format === 'avi' || (format !== 'webm' && claimsConstantRate(video))
  // In WebM only the packets tell, and most of them are not here.
  if (isOurs || isClear || (isPartial && format === 'webm')) return undefined
  return (await packetsOf(video)).rhythm
}

/** Throws unless one picture can be decoded: without it no later step works, and a remux would pass on any rubbish. */
function requireDecoded(
  decoded: DecodedPicture,
  { field }: MeasureRequest,
  video: ProbedStream,
): DecodedPicture {
  const { isPicture, stderrTail } = decoded
  if (isPicture) return decoded
  const codec = video.codec_name ? ` (${video.codec_name})` : ''
  throw undecodable(field, `the picture${codec} cannot be decoded.`, stderrTail)
}

export function undecodable(field: string, what: string, detail?: string): JobError {
  const cause = detail === undefined ? undefined : new Error(detail)
  return new JobError('source_undecodable', `${field}: ${what}`, { cause })
}
