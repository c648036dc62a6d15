import { plant, type Planted } from './planted.ts'

const transitions = 'worker/store/videos/transitions.ts'
const decide = 'worker/service/jobs/decide-attempt.ts'
const health = 'worker/http/health.ts'
const metrics = 'worker/service/metrics.ts'

/** Faults in when a row was last changed, in why something has failed, and in what the operator is told of the service. */
export const datedMutations: readonly Planted[] = [
  plant('a video that begins does not tell when it has changed', [transitions, 1], {
    find: "phase: 'fetching', updatedAt: start.now }",
    replace: "phase: 'fetching' }",
  }),
  plant('a video that goes on does not tell when it has changed', [transitions, 1], {
    find: '        updatedAt: progress.now,\n',
  }),
  plant(
    'a video that ends does not tell when it has changed',
    ['worker/store/videos/terminal-change.ts', 1],
    { find: '    updatedAt: change.now,\n' },
  ),
  plant('a delivery that ends does not change its video', ['worker/store/undelivered.ts', 1], {
    find: '.set({ result, updatedAt: now })',
    replace: '.set({ result })',
  }),
  plant('a name that is changed does not change its video', ['worker/store/videos/videos.ts', 1], {
    find: '    updatedAt: at,\n',
  }),
  plant(
    'an endpoint does not tell when it has changed',
    ['worker/store/webhooks/webhook-endpoints.ts', 1],
    { find: '.set({ ...change, updatedAt: now })', replace: '.set({ ...change })' },
  ),
  plant('a preset does not tell when it has changed', ['worker/store/named-rows.ts', 4], {
    find: 'set: changed })',
    replace: 'set: { ...changed, updatedAt: undefined } })',
  }),
  plant('an attempt does not tell why it has failed', ['worker/durable/job/held-job.ts', 5], {
    find: '{ ...known, fault: failure.message }',
    replace: '{ ...known }',
  }),
  plant('a video does not tell why its job has failed', ['worker/service/jobs/conclude.ts', 5], {
    find: 'errorMessage: ending.error.message',
    replace: "errorMessage: 'It failed.'",
  }),
  plant('a job tells another reason than its media worker', [decide, 5], {
    find: '    reason,\n    message: message.slice(0, 500),',
    replace:
      "    reason: reason === 'storage_failed' ? reason : 'internal',\n    message: message.slice(0, 500),",
  }),
  plant('a job does not tell of what its last attempt has failed', [decide, 5], {
    find: 'The last one: ${last.message}',
    replace: 'The last one: ${last.reason}',
  }),
  plant('health tells for ever what it has told once', [health, 22], {
    find: 'if (current && now < current.until)',
    replace: 'if (current)',
  }),
  plant('health is good while any part is well', [health, 22], {
    find: "some((result) => result.status === 'failing')",
    replace: "every((result) => result.status === 'failing')",
  }),
  plant('health tells of a fault as long as of none', [health, 22], {
    find: "health.status === 'ok' ? sharedForMs : faultSharedForMs",
    replace: 'sharedForMs + 0 * faultSharedForMs',
  }),
  plant('a check that fails is told as one that is well', [health, 22], {
    find: "return [name, { status: 'failing', message: fault }]",
    replace: "return [name, { status: 'ok', message: fault }]",
  }),
  plant('Prometheus is told the seconds that came in as those that went out', [metrics, 13], {
    find: 'in: state.secondsIn, out: state.secondsOut',
    replace: 'out: state.secondsIn, in: state.secondsOut',
  }),
  plant('Prometheus is told of a media worker that does not answer', [metrics, 13], {
    find: 'value: up ? 1 : 0,',
    replace: 'value: up ? 0 : 1,',
  }),
  plant(
    'an error of the bucket is told as one of the database',
    ['worker/store/database-faults.ts', 38],
    {
      find: '(?<!\\bencountered an )',
    },
  ),
  plant('answers do not say what browsers may do with them', ['worker/http/observe.ts', 3], {
    find: 'if (!answer.has(name)) answer.set(name, value)',
    replace: 'if (answer.has(name)) answer.set(name, value)',
  }),
  plant('many answers have one name', ['worker/http/observe.ts', 3], {
    find: "const requestId = mintId('req')",
    replace: 'const requestId = `req_${startedAt % 1000}`',
  }),
]
