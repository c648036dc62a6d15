import { inputs, slotSeconds, storedByteDays, workSeconds } from './inputs.ts'
import { countNames, steps, type Count, type Counts, type Step } from './measured.ts'
import type { Usage } from './prices.ts'

/** Each write, read and delete of a queue is an operation. */
const operationsOfAMessage = 3
const objectGb = 0.128

/** A job ends at any moment of a minute, on average in its middle. */
const cutOffAlarms = 0.5

/** How often each step happens for one video that finds a free slot. */
export function stepsOfAVideo(): Readonly<Record<Step, number>> {
  const { failedShare, reportsAMinute, statusEverySeconds, downloads } = inputs
  const attempts = 1 + failedShare.value
  const reads = (seconds: number): number => seconds / statusEverySeconds.value
  return {
    create: 1,
    'read, waiting': reads(inputs.coldStartSeconds.value),
    start: attempts,
    report: (attempts * workSeconds * reportsAMinute.value) / 60,
    // Once the files of a job are there, it asks whether the same video was made before.
    fetched: attempts,
    // Fetching begins with the claim; measuring, rendering and uploading follow.
    phase: 3 * attempts,
    'read, running': reads(workSeconds),
    // One alarm rings after each full minute; the end of the job cuts off half a one on average.
    alarm: attempts * Math.max(0, workSeconds / 60 - cutOffAlarms),
    upload: 1,
    end: 1,
    webhook: 1,
    'read, ended': 1,
    download: downloads.value,
    forget: 1,
    sweep: 0,
    wait: 0,
    called: 0,
    'attempt failed': failedShare.value,
    'files expire': 1,
    archived: 1,
  }
}

/** What all steps of a video use together. */
export function countsOfAVideo(): Counts {
  const times = stepsOfAVideo()
  return totals((count) =>
    Object.entries(times).reduce((sum, [step, n]) => sum + n * steps[step as Step][count], 0),
  )
}

function totals(value: (count: Count) => number): Counts {
  return Object.fromEntries(countNames.map((name) => [name, value(name)])) as Counts
}

export function objectCalls(counts: Counts): number {
  const { gateCalls, runnerCalls, dispatcherCalls, endpointCalls } = counts
  return gateCalls + runnerCalls + dispatcherCalls + endpointCalls
}

/** The items charged for one video, until it has left the bucket and the database. */
export function usageOfAVideo(): Usage {
  const counts = countsOfAVideo()
  const attempts = 1 + inputs.failedShare.value
  const { cpus, memoryGib, diskGb, outputMb, fileDays } = inputs
  const busy = attempts * inputs.renderCpuSeconds.value
  // Everything but rendering waits for the network most of the time.
  const idle = (attempts * (slotSeconds - inputs.renderSeconds.value) * cpus.value) / 10
  return {
    cpuSeconds: busy + idle,
    memoryGibSeconds: attempts * slotSeconds * memoryGib.value,
    diskGbSeconds: attempts * slotSeconds * diskGb.value,
    egressGb: outputMb.value / 1000,
    bucketGbMonths: (outputMb.value / 1000) * (fileDays.value / 30),
    bucketWrites: counts.bucketWrites,
    bucketReads: counts.bucketReads,
    requests: counts.workerRequests,
    cpuMs: counts.workerRequests * inputs.cpuMsARequest.value,
    logLines: counts.logLines,
    objectCalls: objectCalls(counts),
    // The object of a job waits for its container, so it stays in memory as long.
    objectGbSeconds: attempts * slotSeconds * objectGb,
    // The gate writes a window at most once for a request.
    objectRowsWritten: counts.objectRowsWritten + counts.gateCalls,
    objectRowsRead: counts.objectRowsRead,
    rowsWritten: counts.rowsWritten,
    rowsRead: counts.rowsRead,
    databaseGbMonths: storedByteDays() / 1e9 / 30,
    queueOperations: counts.messages * operationsOfAMessage,
  }
}
