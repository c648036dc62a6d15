import type { Video } from '../../api-types.ts'
import type { Paint } from '../terminal/paint.ts'
import { agoText, durationText, leftText, sizeText } from '../terminal/quantities.ts'

type Output = NonNullable<Video['outputs']>[number]

export function statusPaint(paint: Paint): (status: string) => string {
  return (status) => {
    if (status.startsWith('succeeded')) return paint.green(status)
    if (status.startsWith('failed')) return paint.red(status)
    if (status.startsWith('canceled')) return paint.yellow(status)
    return paint.cyan(status)
  }
}

/** `running 45 %, about 2 min left`. */
export function statusText(video: Video): string {
  const { status, progressPercent } = video
  const done = status === 'running' ? `running ${Math.floor(progressPercent)} %` : status
  const left = leftText(video)
  return left === undefined ? done : `${done}, ${left}`
}

/** The fields of a video that a person looks for, in the order in which they matter. */
export function videoFields(video: Video, nowMs: number): [string, string | undefined][] {
  const { videoMetadata: facts, removed, transcript, analysis, secondsElapsed } = video
  return [
    ['video', video.videoId],
    ['name', video.videoName],
    ['status', statusText(video) + (video.phase ? ` (${video.phase})` : '')],
    ['reason', video.reason],
    ['same as', video.reusedFrom],
    ['message', video.errorMessage],
    ['created', agoText(video.createdAt, nowMs)],
    ['worked', secondsElapsed === undefined ? undefined : durationText(secondsElapsed)],
    ['picture', facts && `${facts.width}×${facts.height}, ${facts.fps} fps`],
    ['length', facts && durationText(facts.duration)],
    ['size', facts && sizeText(facts.sizeInBytes)],
    ['removed', removed && removedText(removed)],
    ['suggestions', video.suggestions && String(video.suggestions.length)],
    [
      'transcript',
      transcript && [transcript.status, transcript.language].filter(Boolean).join(', '),
    ],
    ['analysis', analysis && analysis.status !== 'not_requested' ? analysis.status : undefined],
    ['checked', video.checked],
    ...(video.checks ?? []).flatMap(checkField),
    ...(video.warnings ?? []).map((text): [string, string] => ['warning', text]),
    ['link', video.finalVideoUrl],
    ...(video.outputs ?? []).map(outputField),
    ['thumbnail', video.thumbnailUrl],
  ]
}

/** A check that found nothing is not worth a line. */
function checkField({
  name,
  result,
  message,
  stretch,
  stillUrl,
}: NonNullable<Video['checks']>[number]): [string, string][] {
  const at = stretch ? ` (${stretch.startTime} to ${stretch.endTime} s)` : ''
  return result === 'passed'
    ? []
    : [['check', `${name} ${result}: ${message}${at}${stillUrl ? `, ${stillUrl}` : ''}`]]
}

function outputField({ name, url, format, width, height, bytes }: Output): [string, string] {
  const facts = [
    format,
    width === undefined ? undefined : `${width}×${height}`,
    bytes === undefined ? undefined : sizeText(bytes),
    url,
  ]
  return ['output', [name, ...facts].filter((one) => one !== undefined).join(', ')]
}

function removedText(removed: NonNullable<Video['removed']>) {
  const { segmentsSeconds, textSeconds = 0, fillersSeconds = 0, silenceSeconds } = removed
  const parts = [
    segmentsSeconds > 0 ? `${durationText(segmentsSeconds)} of segments` : '',
    textSeconds > 0 ? `${durationText(textSeconds)} by what is said` : '',
    fillersSeconds > 0 ? `${durationText(fillersSeconds)} of fillers` : '',
    silenceSeconds > 0 ? `${durationText(silenceSeconds)} of pauses` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(', ')
}
