/** What is shown about a job that a media worker has. */
export type ShownJob = {
  jobId: string
  name: string
  phase: string
  percent: number
  sinceMs: number
}

/** How a job ended, or that it waits for its next attempt. */
export type JobEnd = {
  status: string
  videoId: string
  error: { reason: string; message: string } | null
}

const nameWidth = 28

/** The line of a running job: on a terminal it changes in place. */
export function runningLine(job: ShownJob, nowMs: number): string {
  const percent = `${job.percent} %`.padStart(5)
  return `  ${shorten(job.name)}  ${job.phase.padEnd(10)} ${percent}  ${duration(nowMs - job.sinceMs)}`
}

/** The line of a finished job, which stays. */
export function endLine(job: ShownJob, end: JobEnd, nowMs: number): string {
  const name = shorten(job.name)
  const time = duration(nowMs - job.sinceMs)
  const reached = `${job.phase}, ${job.percent} %`
  switch (end.status) {
    case 'succeeded':
      return `✓ ${name}  succeeded in ${time}  ${end.videoId}`
    case 'failed':
      return `✗ ${name}  failed after ${time} (${reached})  ${end.videoId}  ${end.error?.reason ?? ''}: ${end.error?.message ?? ''}`
    case 'canceled':
      return `– ${name}  canceled after ${time} (${reached})  ${end.videoId}`
    default:
      return `↻ ${name}  waits for another attempt after ${time} (${reached})  ${end.videoId}`
  }
}

/** What the lines say, for machines. */
export function jobFields({ jobId, name, phase, percent, sinceMs }: ShownJob, nowMs: number) {
  return { jobId, name, phase, percent, seconds: Math.round((nowMs - sinceMs) / 100) / 10 }
}

export function endFields(job: ShownJob, { status, videoId, error }: JobEnd, nowMs: number) {
  const isFinal = ['succeeded', 'failed', 'canceled'].includes(status)
  const reached = status === 'succeeded' ? { phase: 'done', percent: 100 } : {}
  return {
    ...jobFields(job, nowMs),
    ...reached,
    videoId,
    result: isFinal ? status : 'waiting',
    ...(status === 'failed' && error ? { reason: error.reason, message: error.message } : {}),
  }
}

/** A name may contain anything; on a terminal it must be plain text. */
export function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
}

function shorten(name: string): string {
  const signs = [...name]
  const cut = signs.length > nameWidth ? `${signs.slice(0, nameWidth - 1).join('')}…` : name
  return cut.padEnd(nameWidth)
}

function duration(ms: number): string {
  const whole = ms / 1000
  if (whole < 60) return `${whole.toFixed(1)} s`
  return `${Math.floor(whole / 60)} min ${String(Math.floor(whole % 60)).padStart(2, '0')} s`
}
