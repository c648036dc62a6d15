import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** What a step can use; test/support/worker/count-costs.ts counts it. */
const counts = z.enum([
  'workerRequests',
  'gateCalls',
  'runnerCalls',
  'dispatcherCalls',
  'endpointCalls',
  'objectRowsRead',
  'objectRowsWritten',
  'databaseCalls',
  'statements',
  'writingCalls',
  'rowsRead',
  'rowsWritten',
  'bucketWrites',
  'bucketReads',
  'messages',
  'logLines',
])
const step = z.enum([
  'create',
  'read, waiting',
  'start',
  'report',
  'phase',
  'read, running',
  'alarm',
  'upload',
  'end',
  'webhook',
  'read, ended',
  'download',
  'forget',
  'sweep',
  'wait',
  'called',
  'attempt failed',
  'files expire',
  'archived',
])

export type Count = z.infer<typeof counts>
export type Counts = Readonly<Record<Count, number>>
export type Step = z.infer<typeof step>
export const countNames = counts.options
export const stepNames = step.options

const stepsFile = z.strictObject({
  steps: z.record(step, z.record(counts, z.number())),
  bytes: z.strictObject({ 'a finished video': z.number(), 'its webhook': z.number() }),
})
const reportsFile = z.strictObject({ reportsAMinute: z.number() })
const renderFile = z.strictObject({
  what: z.string(),
  processorSecondsAMinute: z.number(),
  elapsedSecondsAMinute: z.number(),
  outputBytesAMinute: z.number(),
  machine: z.string(),
  date: z.string(),
})

function read<Value>(name: string, schema: z.ZodType<Value>): Value {
  const file = path.join(import.meta.dirname, 'measured', name)
  return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Written by tests (`npm test -- FILE -u`), which fail when the service no longer does what stands there. */
export const { steps, bytes } = read('steps.json', stepsFile)
export const { reportsAMinute } = read('reports.json', reportsFile)
/** Written by `npm run bench -- model --render`. */
export const render = read('render.json', renderFile)
