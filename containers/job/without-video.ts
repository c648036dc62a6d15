import type { MediaJob } from '../../worker/contract/job/media-job.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'

/** These are read although no video is made, or say nothing about one. */
const stillRead: readonly string[] = [
  'analyzeOnly',
  'combine',
  'removeSegments',
  'enableTranscription',
]

/**
 * The job with only those options that matter if no video is made, so that nothing else is fetched, measured or changes
 * what is heard. Warns about the others.
 */
export function withoutVideo(job: MediaJob): { job: MediaJob; warnings: string[] } {
  const { combine, removeSegments } = job.options
  const options = optionsSchema.parse({
    ...{ analyzeOnly: true, enableTranscription: true, combine },
    ...(removeSegments && { removeSegments }),
  })
  const usual: Readonly<Record<string, unknown>> = optionsSchema.parse({})
  const idle = Object.entries(job.options)
    .filter(([name, value]) => !stillRead.includes(name) && !isUsual(value, usual[name]))
    .map(([name]) => name)
  const warnings =
    idle.length === 0
      ? []
      : [`analyzeOnly: no video was made, so these did nothing: ${idle.join(', ')}.`]
  return {
    job: { ...job, options, elementSources: undefined, beside: undefined },
    warnings,
  }
}

function isUsual(value: unknown, usual: unknown): boolean {
  return value === usual || (Array.isArray(value) && value.length === 0)
}
