import { open } from 'node:fs/promises'
import path from 'node:path'
import { sniffBytes, sniffFormat, type VideoFormat } from '../../worker/contract/sniff-format.ts'
import { JobError } from '../job/job-error.ts'
import { guardedGlobals, guardedInput } from './compile-args.ts'
import { coordinatesOf } from './coordinates.ts'
import { findEnd, type StreamEnd } from './find-end.ts'
import {
  audioFacts,
  claimsConstantRate,
  isEncrypted,
  pickAudio,
  pickVideo,
  videoFacts,
  type MediaFacts,
} from './media-facts.ts'
import { findRhythm, type Rhythm } from './picture-rhythm.ts'
import { probeOutput, type ProbedStream, type ProbeOutput } from './probe-output.ts'
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
  const probe = await probeFile(context, request, demuxers[format])
  const video = checkedVideo(probe, request, context.maxPixels)
  const audio = checkedAudio(probe, request)
  const [times, rhythm] = await Promise.all([
    findTimes(context, request, { probe, video, demuxer: demuxers[format] }),
    findUnclearRhythm(context, request, { video, format }),
    request.isOurs || checkDecodable(context, request, { video, demuxer: demuxers[format] }),
  ])
  const { picture, wholeSeconds } = times
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
    video: videoFacts(video, { endSeconds: picture.endSeconds, countedFps, rhythm }),
    audio: audio && audioFacts(audio),
    ...(coordinates && { coordinates }),
  }
}

type Identity = { format: VideoFormat; sizeBytes: number }

async function identify(file: string, { field }: MeasureRequest): Promise<Identity> {
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

async function probeFile(
  context: ToolContext,
  { path: file, field }: MeasureRequest,
  demuxer: string,
): Promise<ProbeOutput> {
  // A handful of packets shows whether the streams are encrypted.
  const packets = ['-show_packets', '-read_intervals', '%+#20']
  const entries = ['-show_format', '-show_streams', ...packets, '-of', 'json']
  const args = ['-hide_banner', '-v', 'error', ...entries, ...guardedInput(file, demuxer)]
  const run = await readTool(context, 'ffprobe', args)
  const parsed = run.exitCode === 0 ? probeOutput.safeParse(parseJson(run.stdout)) : undefined
  if (parsed?.success) return parsed.data
  throw undecodable(field, 'the file is damaged or incomplete.', run.stderrTail)
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

type Probed = { probe: ProbeOutput; video: ProbedStream; demuxer: string }
type Times = { picture: StreamEnd; wholeSeconds: number }

async function findTimes(
  context: ToolContext,
  { path: file, isOurs }: MeasureRequest,
  { probe, video, demuxer }: Probed,
): Promise<Times> {
  const { format } = probe
  const startSeconds = format.start_time ?? 0
  const lateSeconds = (video.start_time ?? startSeconds) - startSeconds
  const claimed = video.duration === undefined ? format.duration : lateSeconds + video.duration
  if (isOurs && claimed !== undefined) {
    const picture = { endSeconds: claimed, packets: undefined }
    return { picture, wholeSeconds: Math.max(format.duration ?? 0, claimed) }
  }
  const base = { path: file, demuxer, startSeconds }
  const streamIndex = video.index
  const picture = await findEnd(context, { ...base, streamIndex, claimedSeconds: claimed })
  const others = format.duration ?? 0
  // Only another stream can last longer than the picture, and it may lie as well.
  if (others <= picture.endSeconds + 1) {
    return { picture, wholeSeconds: Math.max(others, picture.endSeconds) }
  }
  const whole = await findEnd(context, { ...base, claimedSeconds: others })
  return { picture, wholeSeconds: Math.max(whole.endSeconds, picture.endSeconds) }
}

/** AVI has nothing but a constant rate. */
async function findUnclearRhythm(
  context: ToolContext,
  { path: file, isOurs }: MeasureRequest,
  { video, format }: { video: ProbedStream; format: VideoFormat },
): Promise<Rhythm | undefined> {
  const isClear = format === 'avi' || (format !== 'webm' && claimsConstantRate(video))
  if (isOurs || isClear) return undefined
  return findRhythm(context, { path: file, demuxer: demuxers[format], streamIndex: video.index })
}

/** One picture must come out, or nothing that follows can work; a remux would pass any rubbish on. */
async function checkDecodable(
  context: ToolContext,
  { path: file, field }: MeasureRequest,
  { video, demuxer }: { video: ProbedStream; demuxer: string },
): Promise<void> {
  const run = await readTool(context, 'ffmpeg', [
    ...guardedGlobals,
    ...['-threads', '1', '-max_pixels', String(context.maxPixels)],
    ...guardedInput(file, demuxer),
    ...['-map', `0:${video.index}`, '-frames:v', '1', '-f', 'framecrc', '-'],
  ])
  if (/^0,/m.test(run.stdout)) return
  const codec = video.codec_name ? ` (${video.codec_name})` : ''
  throw undecodable(field, `the picture${codec} cannot be decoded.`, run.stderrTail)
}

function undecodable(field: string, what: string, detail?: string): JobError {
  const cause = detail === undefined ? undefined : new Error(detail)
  return new JobError('source_undecodable', `${field}: ${what}`, { cause })
}
