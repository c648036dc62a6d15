import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { WrappedFormat } from '../../worker/contract/video/sniff-format.ts'
import { checkClaims } from '../claims/check-claims.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { JobError } from '../errors/job-error.ts'
import { writingGlobals, guardedInput } from '../graph/compile-args.ts'
import type { MediaFacts } from '../timeline/media-facts.ts'
import { identifyFile } from './identify-file.ts'
import {
  brokenPromise,
  checkedAudio,
  claimedLength,
  measureMedia,
  undecodable,
  type MeasureRequest,
} from './measure-media.ts'
import { isEncrypted, pickVideo } from './probe/stream-facts.ts'
import { probeFile, type Probed } from './probe/probe-file.ts'
import type { ProbedStream } from './probe/probe-output.ts'
import { runFfmpeg } from './process/run-ffmpeg.ts'
import type { ToolContext } from './process/run-tool.ts'

export type TakenVideo = {
  /** Its name inside the job folder from now on. */
  readonly path: string
  readonly facts: MediaFacts
  /** Whether it had no picture, so that one was drawn. */
  readonly isSoundAlone?: boolean
  /** Whether its pictures were drawn, from a picture or for a sound. */
  readonly isDrawn?: boolean
}

type TakeRequest = Pick<
  MeasureRequest,
  'path' | 'field' | 'maxSeconds' | 'onClaim' | 'isPartial'
> & {
  /** Whether this is the plan of a job that is still to be made. */
  readonly isPlanned?: boolean | undefined
}

/** The only demuxer that may open each format. */
const demuxers: Record<WrappedFormat, string> = {
  mkv: 'matroska',
  ts: 'mpegts',
  flv: 'flv',
  mpg: 'mpeg',
  ogv: 'ogg',
}

/**
 * Finds out what a customer's video really is. If no result can have its container, its packets are first put into one of the
 * others, byte for byte, so that everything else deals with four containers.
 */
export async function takeVideo(tools: ToolContext, request: TakeRequest): Promise<TakenVideo> {
  const { path: name, field, maxSeconds } = request
  const file = path.join(tools.folder, name)
  const { format, sizeBytes } = await identifyFile(file, field)
  if (!isWrapped(format)) return { path: name, facts: await measureMedia(tools, request) }
  if (request.isPartial) {
    const facts = await measureMedia(tools, request)
    // Packets that are not here cannot be moved, but it is known where they would be put.
    const moved = copiedToMp4.includes(facts.video.codec) ? 'mp4' : facts.format
    return { path: name, facts: { ...facts, format: moved } }
  }
  const held = { field, sizeBytes, maxSeconds }
  await checkClaims(file, format, held, tools.signal)
  const demuxer = demuxers[format]
  const asked = { path: name, field, demuxer, sizeBytes, isBelieved: false }
  const probed = await probeFile(tools, asked)
  const video = pickVideo(probed.streams)
  if (!video) throw undecodable(field, 'the file has no picture.')
  if (isEncrypted(probed.packets, video)) throw undecodable(field, 'the video is encrypted.')
  if (format === 'mkv' && !copiedToMp4.includes(video.codec_name ?? '')) {
    return { path: name, facts: await measureMedia(tools, request) }
  }
  const audio = checkedAudio(probed, request)
  const taken = await wrap(tools, request, { demuxer, video, audio })
  // The job holds each source once.
  if (!request.isPlanned) await rm(file)
  const facts = await measureMedia(tools, { ...request, path: taken })
  const { durationSeconds } = facts
  return {
    path: taken,
    facts: { ...facts, ...brokenPromise(promised(format, probed), durationSeconds) },
  }
}

function isWrapped(format: string): format is WrappedFormat {
  return format in demuxers
}

/** The length that the header gives; the other formats give none, and ffprobe guesses. */
function promised(format: WrappedFormat, probed: Probed): number {
  return format === 'mkv' || format === 'flv' ? (claimedLength(probed) ?? 0) : 0
}

/** Codecs whose pictures MP4 results keep without encoding. */
const copiedToMp4: readonly string[] = ['h264', 'hevc']
/** Other codecs for which MP4 stores exact times, which Matroska counts in milliseconds. */
const otherInMp4 = ['mpeg1video', 'mpeg2video', 'mpeg4', 'vc1', 'av1', 'vp9']
const soundInMp4 = ['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'dts', 'alac', 'opus', 'vorbis']
const soundInMatroska = [...soundInMp4, 'flac', 'speex']

/** More than a media worker rounds, so that a video that is longer than allowed is still too long. */
const spareSeconds = 2

type ChosenStreams = { demuxer: string; video: ProbedStream; audio: ProbedStream | undefined }

/**
 * Puts the packets of pictures and sound into another container, with the times that ffmpeg gives them. A single damaged packet
 * of sound would end a copy, but not a decoder.
 */
async function wrap(
  tools: ToolContext,
  request: TakeRequest,
  chosen: ChosenStreams,
): Promise<string> {
  const { video, audio } = chosen
  const isMp4 = [...copiedToMp4, ...otherInMp4].includes(video.codec_name ?? '')
  const copied = isMp4 ? soundInMp4 : soundInMatroska
  const decoded = ['-c:a', 'flac', '-strict', 'experimental']
  const ways = copied.includes(audio?.codec_name ?? '') ? [['-c:a', 'copy'], decoded] : [decoded]
  const wrapped = `${request.path}-wrapped`
  for (const [i, coding] of ways.entries()) {
    const args = wrapArgs(tools, request, { ...chosen, isMp4, coding, wrapped })
    try {
      await runFfmpeg(tools, { args })
      return wrapped
    } catch (error) {
      if (!(error instanceof JobError) || error.reason !== 'source_undecodable') throw error
      if (i === ways.length - 1)
        throw undecodable(request.field, 'the file is damaged.', causeOf(error))
    }
  }
  throw new Error('A source was wrapped in no way')
}

function causeOf({ cause }: JobError): string | undefined {
  return cause instanceof Error ? cause.message : undefined
}

type Wrapping = ChosenStreams & { isMp4: boolean; coding: readonly string[]; wrapped: string }

function wrapArgs(
  tools: ToolContext,
  { path: name, maxSeconds }: TakeRequest,
  { demuxer, video, audio, isMp4, coding, wrapped }: Wrapping,
): string[] {
  const most = String(sourceLimits.packets + 1)
  const sound = audio && ['-map', `0:${audio.index}`, '-frames:a', most, ...coding]
  return [
    ...writingGlobals,
    ...['-threads', String(tools.threads), '-fflags', '+genpts', ...guardedInput(name, demuxer)],
    ...['-map', `0:${video.index}`, '-c:v', 'copy', '-frames:v', most, ...(sound ?? [])],
    ...['-t', String(maxSeconds + spareSeconds), '-map_chapters', '-1', '-fflags', '+bitexact'],
    ...['-f', isMp4 ? 'mp4' : 'matroska', `file:${wrapped}`],
  ]
}
