import { open } from 'node:fs/promises'
import path from 'node:path'
import { sniffBytes, sniffFormat, type VideoFormat } from '../../worker/contract/sniff-format.ts'
import { JobError } from '../job/job-error.ts'
import { guardedInput } from './compile-args.ts'
import { coordinatesOf } from './coordinates.ts'
import { decodePicture, type Decoded } from './decode-picture.ts'
import { findEnd, type StreamEnd } from './find-end.ts'
import {
  audioFacts,
  claimsConstantRate,
  isEncrypted,
  lateSecondsOf,
  pickAudio,
  pickVideo,
  videoFacts,
  type MediaFacts,
} from './media-facts.ts'
import { findRhythm, type Rhythm } from './picture-rhythm.ts'
import {
  probeOutput,
  type ProbedPacket,
  type ProbedStream,
  type ProbeOutput,
} from './probe-output.ts'
import { readTool, type ToolContext } from './run-tool.ts'

export type MeasureRequest = {
  /** Name inside the job folder. */
  readonly path: string
  /** The request field to be named when something is wrong with it. */
  readonly field: string
  readonly maxSeconds: number
  /** Written by our own ffmpeg just now, at a steady rate: what its header says is so. */
  readonly isOurs?: boolean
}

/** The one demuxer that may open each format. */
export const demuxers: Record<VideoFormat, string> = {
  mp4: 'mov',
  mov: 'mov',
  avi: 'avi',
  webm: 'matroska',
}

/** What a file really is: bytes before names, packets before headers. */
export async function measureMedia(
  context: ToolContext,
  request: MeasureRequest,
): Promise<MediaFacts> {
  const { format, sizeBytes } = await identify(path.join(context.folder, request.path), request)
  const found: Identity = { format, sizeBytes, demuxer: demuxers[format] }
  // To start a program takes longer than most of what it is started for: none waits for another without need.
  const decoding = new AbortController()
  const signal = AbortSignal.any([context.signal, decoding.signal])
  const { path: file, isOurs } = request
  const decoded = isOurs
    ? undefined
    : decodePicture({ ...context, signal }, { path: file, demuxer: found.demuxer })
  // Whoever waits for it hears of a failure; nobody may, when the file turns out to be no video.
  decoded?.catch(() => undefined)
  try {
    return await measureFound(context, request, { ...found, decoded })
  } finally {
    decoding.abort()
    await Promise.allSettled([decoded])
  }
}

async function measureFound(
  context: ToolContext,
  request: MeasureRequest,
  { format, sizeBytes, demuxer, decoded }: Identity & { decoded: Promise<Decoded> | undefined },
): Promise<MediaFacts> {
  const { probe, packets } = await probeFile(context, request, { demuxer, sizeBytes })
  const video = checkedVideo(probe, request, context.maxPixels)
  const audio = checkedAudio(probe, request)
  const [{ picture, wholeSeconds, claimedSeconds }, rhythm] = await Promise.all([
    findTimes(context, request, { probe, packets, video, audio, demuxer }),
    findUnclearRhythm(context, request, { packets, video, format }),
    decoded?.then((picture) => requireDecoded(picture, request, video)),
  ])
  const coordinates = coordinatesOf(probe.format.tags)
  if (wholeSeconds > request.maxSeconds) {
    throw new JobError(
      'source_too_large',
      `${request.field}: the video is ${Math.round(wholeSeconds)} seconds long; at most ${request.maxSeconds} are allowed.`,
    )
  }
  const countedFps = picture.packets && picture.packets / Math.max(picture.endSeconds, 0.001)
  return {
    format,
    sizeBytes,
    durationSeconds: wholeSeconds,
    ...brokenPromise(claimedSeconds, wholeSeconds),
    video: videoFacts(video, {
      endSeconds: picture.endSeconds,
      lateSeconds: lateSecondsOf(video, format),
      countedFps,
      rhythm,
    }),
    audio: audio && audioFacts(audio),
    ...(coordinates && { coordinates }),
  }
}

/** Headers are a little off often enough. */
const missedSeconds = 1
const missedShare = 0.1

function brokenPromise(
  promisedSeconds: number,
  wholeSeconds: number,
): Pick<MediaFacts, 'promisedSeconds'> {
  const missing = promisedSeconds - wholeSeconds
  const isBroken = missing > Math.max(missedSeconds, promisedSeconds * missedShare)
  return isBroken ? { promisedSeconds } : {}
}

type Identity = { format: VideoFormat; sizeBytes: number; demuxer: string }

async function identify(
  file: string,
  { field }: MeasureRequest,
): Promise<Omit<Identity, 'demuxer'>> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffBytes), 0, sniffBytes, 0)
    const sniffed = await sniffFormat(buffer.subarray(0, bytesRead))
    if (sniffed.kind === 'video') return { format: sniffed.format, sizeBytes: size }
    const found = size === 0 ? 'an empty file' : sniffed.kind === 'other' ? sniffed.name : undefined
    const what = found ? `is not a video but: ${found}` : 'is not a video of a known format'
    throw new JobError(
      'source_not_media',
      `${field}: the file ${what}. Supported are MP4, MOV, AVI and WebM.`,
    )
  } finally {
    await handle.close()
  }
}

/** A file with no more than this is read to its end by the first look at it. */
const fewPackets = 5_000
const smallBytes = 8 * 1024 ** 2
/** A handful shows whether the streams are encrypted. */
const firstPackets = 20

const packetEntries =
  'packet=stream_index,pts_time,dts_time,duration_time,flags:packet_side_data=side_data_type'

type Probed = {
  readonly probe: ProbeOutput
  /** All that the file has; undefined when only the first were read. */
  readonly packets: readonly ProbedPacket[] | undefined
}

async function probeFile(
  context: ToolContext,
  { path: file, field, isOurs }: MeasureRequest,
  { sizeBytes, demuxer }: Pick<Identity, 'sizeBytes' | 'demuxer'>,
): Promise<Probed> {
  const readPackets = sizeBytes > smallBytes || isOurs ? firstPackets : fewPackets
  const run = await readTool(context, 'ffprobe', [
    ...['-hide_banner', '-v', 'error', '-show_format', '-show_streams'],
    ...['-show_entries', packetEntries, '-read_intervals', `%+#${readPackets}`],
    ...['-of', 'json=compact=1', ...guardedInput(file, demuxer)],
  ])
  const parsed = run.exitCode === 0 ? probeOutput.safeParse(parseJson(run.stdout)) : undefined
  if (!parsed?.success) {
    throw undecodable(field, 'the file is damaged or incomplete.', run.stderrTail)
  }
  const probe = parsed.data
  return { probe, packets: probe.packets.length < readPackets ? probe.packets : undefined }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkedVideo(probe: ProbeOutput, { field }: MeasureRequest, maxPixels: number) {
  const video = pickVideo(probe.streams)
  if (!video) throw undecodable(field, 'the file has no picture.')
  if (isEncrypted(probe, video)) throw undecodable(field, 'the video is encrypted.')
  const { width = 0, height = 0 } = video
  if (width * height > maxPixels) {
    throw new JobError(
      'source_too_large',
      `${field}: the picture is ${width} × ${height}; at most ${maxPixels} pixels are allowed.`,
    )
  }
  return video
}

function checkedAudio(probe: ProbeOutput, { field }: MeasureRequest): ProbedStream | undefined {
  const audio = pickAudio(probe.streams)
  if (!audio) return undefined
  if (isEncrypted(probe, audio)) throw undecodable(field, 'the sound is encrypted.')
  if (audio.codec_name === undefined || !audio.sample_rate || !audio.channels) {
    throw undecodable(field, 'the sound is damaged or of an unknown kind.')
  }
  return audio
}

type Found = Probed & { video: ProbedStream; audio: ProbedStream | undefined; demuxer: string }

/** `claimedSeconds` is what the headers say of `wholeSeconds`; 0 when they say nothing. */
type Times = { picture: StreamEnd; wholeSeconds: number; claimedSeconds: number }

/** A sound's last packet ends that much after what it holds. */
const paddingSeconds = 0.05

/** Other languages, subtitles and data may go on for longer: nobody sees or hears them. */
async function findTimes(
  context: ToolContext,
  { path: file, isOurs }: MeasureRequest,
  { probe, packets, video, audio, demuxer }: Found,
): Promise<Times> {
  const { start_time: startSeconds = 0, duration: fileSeconds } = probe.format
  const claimOf = ({ start_time = startSeconds, duration }: ProbedStream): number | undefined =>
    duration === undefined ? fileSeconds : start_time - startSeconds + duration
  const endOf = async (stream: ProbedStream, claimedSeconds: number | undefined) =>
    findEnd(context, {
      path: file,
      demuxer,
      startSeconds,
      packets,
      streamIndex: stream.index,
      claimedSeconds,
    })
  const seen = claimOf(video)
  const heard = (audio && claimOf(audio)) ?? 0
  const claimedSeconds = Math.max(seen ?? 0, heard)
  if (isOurs && seen !== undefined) {
    const picture = { endSeconds: seen, packets: undefined }
    return { picture, wholeSeconds: claimedSeconds, claimedSeconds }
  }
  const picture = await endOf(video, seen)
  // Only a sound can last longer than the picture, and its header may lie as well.
  const isLonger = audio !== undefined && heard > picture.endSeconds + paddingSeconds
  const soundSeconds = isLonger ? (await endOf(audio, heard)).endSeconds : heard
  return { picture, wholeSeconds: Math.max(soundSeconds, picture.endSeconds), claimedSeconds }
}

/** AVI has nothing but a constant rate. */
async function findUnclearRhythm(
  context: ToolContext,
  { path: file, isOurs }: MeasureRequest,
  {
    packets,
    video,
    format,
  }: Pick<Probed, 'packets'> & { video: ProbedStream; format: VideoFormat },
): Promise<Rhythm | undefined> {
  const isClear = format === 'avi' || (format !== 'webm' && claimsConstantRate(video))
  if (isOurs || isClear) return undefined
  const demuxer = demuxers[format]
  return findRhythm(context, { path: file, demuxer, streamIndex: video.index, packets })
}

/** One picture must come out, or nothing that follows can work; a remux would pass any rubbish on. */
function requireDecoded(
  { isPicture, stderrTail }: Decoded,
  { field }: MeasureRequest,
  video: ProbedStream,
): void {
  if (isPicture) return
  const codec = video.codec_name ? ` (${video.codec_name})` : ''
  throw undecodable(field, `the picture${codec} cannot be decoded.`, stderrTail)
}

function undecodable(field: string, what: string, detail?: string): JobError {
  const cause = detail === undefined ? undefined : new Error(detail)
  return new JobError('source_undecodable', `${field}: ${what}`, { cause })
}
