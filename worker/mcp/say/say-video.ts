import type { VideoRecord } from '../../contract/video/video-record.ts'
import { sayLeft } from '../../contract/video/say-left.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import type { JsonObject } from '../schema/json-schema.ts'
import type { ToolAnswer } from '../tool.ts'

/** Describes a video to an agent: how it stands, where its files are, and what to do next. */
export function sayVideo(video: VideoRecord): ToolAnswer {
  const next = nextStep(video)
  const lines = [
    `${video.videoId} "${video.videoName}": ${sayState(video)}`,
    ...sayResult(video),
    ...sayInsights(video),
    ...saySuggestions(video),
    ...sayMoments(video),
    ...(video.warnings ?? []).map((warning) => `Warning: ${warning}`),
    ...sayChecks(video),
    `Next: ${next}`,
  ]
  return { text: lines.join('\n'), data: { ...dataOf(video), next } }
}

function sayState(video: VideoRecord): string {
  const { status, progressPercent, phase, reason, errorMessage, queuePosition } = video
  const left = sayLeft(video)
  if (status === 'running' || status === 'queued') {
    const done = status === 'running' ? `${progressPercent} %` : undefined
    const place = queuePosition && `number ${queuePosition} in line`
    return [status, done, phase, place, left].filter(Boolean).join(', ')
  }
  if (status === 'failed') return `failed (${reason ?? 'internal'}): ${errorMessage ?? ''}`
  return status
}

function sayResult(video: VideoRecord): string[] {
  const { videoMetadata: facts, removed, finalVideoUrl, thumbnailUrl, linksExpireAt } = video
  const { reusedFrom } = video
  return [
    ...(reusedFrom === undefined ? [] : [`Not made again: the same result as ${reusedFrom}`]),
    ...(facts
      ? [
          `${facts.width}×${facts.height}, ${round(facts.duration)} s, ${round(facts.fps)} fps, ${saySize(facts.sizeInBytes)}`,
        ]
      : []),
    ...(removed ? sayRemoved(removed) : []),
    ...(finalVideoUrl && !video.outputs ? [`Video: ${finalVideoUrl}`] : []),
    ...(video.outputs ?? []).flatMap(({ name, title, format, url }) =>
      url === undefined
        ? []
        : [`${name} (${format})${title === undefined ? '' : `, "${title}"`}: ${url}`],
    ),
    ...(thumbnailUrl ? [`Thumbnail: ${thumbnailUrl}`] : []),
    ...(video.transcript?.vttUrl ? [`Captions (WebVTT): ${video.transcript.vttUrl}`] : []),
    ...(linksExpireAt ? [`The links need no key and work until ${linksExpireAt}.`] : []),
  ]
}

/** Only the checks that were not passed. */
function sayChecks({ checks = [] }: VideoRecord): string[] {
  return checks.flatMap(({ name, result, message }) =>
    result === 'passed' ? [] : [`Check ${name} ${result}: ${message}`],
  )
}

function sayRemoved(removed: NonNullable<VideoRecord['removed']>): string[] {
  const { segmentsSeconds, textSeconds = 0, fillersSeconds = 0, silenceSeconds } = removed
  const words = textSeconds + fillersSeconds
  if (segmentsSeconds + words + silenceSeconds === 0) return []
  const said = words > 0 ? `, ${round(words)} s by what is said` : ''
  return [`Cut: ${round(segmentsSeconds)} s asked for${said}, ${round(silenceSeconds)} s of pauses`]
}

function sayInsights({ transcript, analysis }: VideoRecord): string[] {
  const found = analysis?.data
  return [
    ...(transcript ? [`Transcript: ${sayTranscript(transcript)}`] : []),
    ...(found?.summary.trim() ? [`Summary: ${found.summary}`] : []),
    ...(found && found.tags.length > 0 ? [`Tags: ${found.tags.join(', ')}`] : []),
    ...(analysis?.status === 'failed' ? [`Analysis failed: ${analysis.error ?? ''}`] : []),
  ]
}

/** How many entries a short answer lists, each on its line; the data has all of them. */
const mostSaid = 20

function saySuggestions({ suggestions }: VideoRecord): string[] {
  if (!suggestions) return []
  if (suggestions.length === 0) return ['Suggestions: nothing to cut was found']
  const lines = suggestions.slice(0, mostSaid).map(({ startTime, endTime, why, text }) => {
    return `- ${startTime} to ${endTime} s: ${why}${text === undefined ? '' : ` "${text}"`}`
  })
  const more = suggestions.length - lines.length
  return [
    'Suggestions of what to cut:',
    ...lines,
    ...(more > 0 ? [`- and ${more} more, in suggestions`] : []),
  ]
}

function sayMoments({ moments: { clips = [], chapters = [] } = {} }: VideoRecord): string[] {
  return [
    ...clips.map(
      ({ startTime, endTime, title, reasons }) =>
        `Clip ${startTime} to ${endTime} s: "${title}" (${reasons.join('; ')})`,
    ),
    ...chapters.map(({ startTime, title }) => `Chapter at ${startTime} s: "${title}"`),
  ]
}

function sayTranscript(transcript: NonNullable<VideoRecord['transcript']>): string {
  const { status, language, text, error } = transcript
  if (status === 'completed' && text === '') return 'completed; nobody speaks'
  if (status === 'completed')
    return `completed, ${language ?? 'und'}, ${text?.length ?? 0} characters`
  return status === 'failed' ? `failed: ${error ?? ''}` : status
}

function nextStep({ videoId, status, transcript, suggestions }: VideoRecord): string {
  if (!isTerminal(status))
    return `call get_video with videoId ${videoId} again; it waits for the end.`
  if (status === 'canceled') return 'nothing; make_video makes another.'
  if (status === 'failed') return 'correct what the message names, then call make_video again.'
  if (suggestions?.length === 0) return 'nothing to cut; read_transcript reads what is said.'
  if (suggestions) {
    return 'let your user choose, then call make_video without analyzeOnly, and with startTime and endTime of the chosen ones in removeSegments.'
  }
  return transcript?.status === 'completed' && transcript.text !== ''
    ? 'give your user the link; read_transcript reads what is said.'
    : 'give your user the link.'
}

function dataOf(video: VideoRecord): JsonObject {
  const { videoId, jobId, videoName, status, progressPercent, phase, reason, errorMessage } = video
  const { finalVideoUrl, thumbnailUrl, linksExpireAt, videoMetadata, removed, warnings } = video
  const { secondsElapsed, secondsLeft, secondsLeftRange } = video
  const { transcript, analysis, suggestions, moments, reusedFrom, checked } = video
  const all = {
    ...{ videoId, jobId, videoName, status, progressPercent, phase, reason, errorMessage },
    ...{ secondsElapsed, secondsLeft, secondsLeftRange, reusedFrom },
    ...{ finalVideoUrl, thumbnailUrl, linksExpireAt, videoMetadata, removed, warnings, checked },
    transcriptStatus: transcript?.status,
    captionsUrl: transcript?.vttUrl,
    outputs: video.outputs,
    analysis: analysis?.data,
    suggestions,
    moments,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function saySize(bytes: number): string {
  return bytes < 1e5 ? `${round(bytes / 1e3)} kB` : `${round(bytes / 1e6)} MB`
}

export function round(value: number): number {
  return Math.round(value * 10) / 10
}
