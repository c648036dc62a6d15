import { bytes, render, reportsAMinute } from './measured.ts'

/** A number that the model uses, and its origin. */
type Input = {
  readonly name: string
  readonly unit: string
  readonly value: number
  /** A test, a benchmark, a setting, a published page; or `assumed`. */
  readonly from: string
}

const reportTest = 'test/containers/job/report-rate'
const stepTest = 'test/worker/service/job-costs'
const rendered = `npm run bench -- model --render, ${render.date}`

/** One video: a minute of 1080p from an address, without a transcript, on a `standard-3`. */
export const inputs = {
  cpus: input('Processors of the container', '', 2, 'containers/platform/limits, 2026-11-21'),
  memoryGib: input('Memory of the container', 'GiB', 8, 'containers/platform/limits, 2026-11-21'),
  diskGb: input('Disk of the container', 'GB', 16, 'containers/platform/limits, 2026-11-21'),
  coldStartSeconds: input('Start of a container', 's', 2, 'containers/faq, 2026-11-21: 1 to 3 s'),
  fetchSeconds: input('Fetching 50 MB, measuring', 's', 5, 'assumed'),
  renderSeconds: input('Rendering', 's', render.elapsedSecondsAMinute, rendered),
  renderCpuSeconds: input('Rendering', 'CPU s', render.processorSecondsAMinute, rendered),
  uploadSeconds: input('Storing the result', 's', 7, 'assumed'),
  outputMb: input('Size of the result', 'MB', 30, 'assumed'),
  reportsAMinute: input('Reports while it works', 'a minute', reportsAMinute, reportTest),
  statusEverySeconds: input('Between two status reads of its client', 's', 8, 'assumed'),
  downloads: input('Downloads of the result', '', 2, 'assumed'),
  fileDays: input('Files are kept', 'days', 30, 'default of accounts'),
  recordDays: input('The record is in D1', 'days', 90, 'default of accounts'),
  recordBytes: input('The record in D1', 'bytes', bytes['a finished video'], stepTest),
  webhookDays: input('The log of its webhook is in D1', 'days', 30, 'test/worker/queue/sweep'),
  webhookBytes: input('The log of its webhook in D1', 'bytes', bytes['its webhook'], stepTest),
  cpuMsARequest: input(
    'Processor time of a request',
    'ms',
    1.2,
    'npm run bench -- requests, 2026-11-23',
  ),
  failedShare: input('Attempts that fail and are repeated', 'of all', 0.01, 'assumed'),
}

function input(name: string, unit: string, value: number, from: string): Input {
  return { name, unit, value, from }
}

const { coldStartSeconds, fetchSeconds, renderSeconds, uploadSeconds } = inputs

/** The seconds from the claim to the last report. */
export const workSeconds = fetchSeconds.value + renderSeconds.value + uploadSeconds.value
/** The seconds for which the container of a job is paid for. */
export const slotSeconds = coldStartSeconds.value + workSeconds
const { recordBytes, recordDays, webhookBytes, webhookDays } = inputs
/** How much of D1 a video fills over time, by the days for which its record is kept. */
export const storedByteDays = (days: number = recordDays.value): number =>
  recordBytes.value * days + webhookBytes.value * webhookDays.value
