import { plant, type Planted } from './planted.ts'

const media = 'worker/durable/media-workers/media-worker.ts'
const container = 'worker/durable/media-workers/own-container.ts'
const overHttp = 'worker/durable/media-workers/http-media-workers.ts'

/** Faults on the way to media workers that answer slowly, strangely, or not at all. */
export const wayMutations: readonly Planted[] = [
  plant('a media worker that hangs is waited for', [media, 8008], {
    find: 'const answerTimeoutMs = 5000',
    replace: 'const answerTimeoutMs = 50_000',
  }),
  plant('a media worker that answers slowly is not heard', [media, 8008], {
    find: 'const answerTimeoutMs = 5000',
    replace: 'const answerTimeoutMs = 500',
  }),
  plant('an offer is made without an end', [media, 8008], {
    find: 'AbortSignal.any([interrupted, AbortSignal.timeout(answerTimeoutMs)])',
    replace: 'interrupted',
  }),
  plant('a media worker that answers anything has the job', [media, 8008], {
    find: "if (status === 202) return 'taken'",
    replace: "if (status < 300) return 'taken'",
  }),
  plant('a media worker without a free slot has refused the job', [media, 8008], {
    find: "if (status === 503) return 'busy'",
    replace: "if (status === 503) return 'refused'",
  }),
  plant('a media worker that fails has refused the job', [media, 8008], {
    find: "return status >= 400 && status < 500 ? 'refused' : 'silent'",
    replace: "return status >= 400 ? 'refused' : 'silent'",
  }),
  plant('a media worker that refuses a job is taken for silent', [media, 8008], {
    find: "return status >= 400 && status < 500 ? 'refused' : 'silent'",
    replace: "return 'silent'",
  }),
  plant('a media worker that fails counts among those that work', [media, 8008], {
    find: "return status >= 400 && status < 500 ? 'refused' : 'silent'",
    replace: "return status >= 400 && status < 500 ? 'refused' : 'busy'",
  }),
  plant('a plan waits for a media worker that hangs', [media, 8024], {
    find: 'const planTimeoutMs = 40_000',
    replace: 'const planTimeoutMs = 400_000',
  }),
  plant('a plan that takes a while is given up', [media, 8008], {
    find: 'const planTimeoutMs = 40_000',
    replace: 'const planTimeoutMs = 4_000',
  }),
  plant('a plan that takes too long is said to find nobody', [media, 8008], {
    find: "  if (response.status === 504) return 'late'\n",
  }),
  plant('a film is canceled with a part of it', [media, 8024], {
    find: 'const message = { jobId, fence, ...(part && { part }) }',
    replace: 'const message = { jobId, fence, ...(part && {}) }',
  }),
  plant('a media worker that hung is left alone for minutes', [overHttp, 8008], {
    find: 'const sparedMs = 15_000',
    replace: 'const sparedMs = 150_000',
  }),
  plant('some media workers are never asked', [overHttp, 8021], {
    find: 'const all = [...urls.slice(first), ...urls.slice(0, first)]',
    replace: 'const all = [...urls.slice(first)]',
  }),
  plant('one media worker that does not answer ends a plan', [overHttp, 8024], {
    find: "        log('warn', 'media worker did not answer', { worker, ...describeError(error) })\n        return 'silent'\n      }\n    },\n    async offer",
    replace: '        throw error\n      }\n    },\n    async offer',
  }),
  plant('one media worker alone is asked for a plan', ['worker/http/videos/create-plan.ts', 8008], {
    find: 'for (const way of ways) {',
    replace: 'for (const way of ways.slice(0, 1)) {',
  }),
  plant(
    'the parts of a film go to its own media worker first',
    ['worker/durable/media-workers/part-places.ts', 8026],
    {
      find: '[...away, ...(workers.includes(lead) ? [lead] : [])]',
      replace: '[...(workers.includes(lead) ? [lead] : []), ...away]',
    },
  ),
  plant(
    'health is waited for from a media worker that hangs',
    ['worker/service/jobs/ask-media-workers.ts', 8008],
    {
      find: 'const timeoutMs = 2000',
      replace: 'const timeoutMs = 60_000',
    },
  ),
  plant('a container that takes connections is waited for', [container, 8040], {
    find: 'AbortSignal.any([interrupted, AbortSignal.timeout(1000)])',
    replace: 'interrupted',
  }),
  plant('a container cannot fetch its sources', [container, 8040], {
    find: 'enableInternet: true,',
    replace: 'enableInternet: false,',
  }),
]
