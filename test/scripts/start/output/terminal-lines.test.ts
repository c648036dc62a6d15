import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../../../scripts/start/output/log-files.ts'
import { newsOf } from '../../../../scripts/start/output/terminal-lines.ts'

const textOf = (line: string, verbose = false) => newsOf('Worker', line, verbose)?.text

describe('newsOf', () => {
  it.each([
    ['{"level":"info","status":200}', undefined],
    ['{"level":"warn"}', undefined],
    ['{"level":"info","status":404}', undefined],
    ['{"level":"error"}', '[Worker] an error'],
    ['[wrangler:info] Ready on http://127.0.0.1:8787', undefined],
    ['[wrangler:error] Error: thrown', '[Worker] [wrangler:error] Error: thrown'],
    [
      'The media worker cannot start: X is missing',
      '[Worker] The media worker cannot start: X is missing',
    ],
    ['✘ [ERROR] Build failed', '[Worker] ✘ [ERROR] Build failed'],
  ])('shows only errors: %j', (line, shown) => {
    expect(textOf(line)).toBe(shown)
  })

  it('says as a sentence what went wrong, why, and how to find more of it', () => {
    const line = {
      level: 'error',
      event: 'request',
      at: '2026-11-22T12:00:00.000Z',
      requestId: 'req_1',
      method: 'POST',
      route: '/v1/videos',
      status: 500,
      durationMs: 12,
      error: 'D1_ERROR: disk full',
      stack: 'Error: D1_ERROR\n    at somewhere',
      causes: ['no space\nleft'],
    }
    expect(textOf(JSON.stringify(line))).toBe(
      '[Worker] POST /v1/videos was answered with 500 after 12 ms: D1_ERROR: disk full: no space left (requestId req_1)',
    )
    const fromMediaWorker = { time: '', level: 'error', message: 'Job failed', jobId: 'j_1' }
    expect(textOf(JSON.stringify(fromMediaWorker))).toBe('[Worker] Job failed (jobId j_1)')
  })

  it('gives machines the whole line', () => {
    const line = { level: 'error', event: 'sweep failed', stack: 'Error\n    at somewhere' }
    expect(newsOf('Worker', JSON.stringify(line), false)).toMatchObject({
      event: 'log',
      level: 'error',
      fields: { part: 'Worker', line },
    })
  })

  it('shows a mail to a person, and its link to no machine', () => {
    const mail = { event: 'mail', to: 'ada@example.com', subject: 'Hello', text: 'Open http://x/1' }
    const news = newsOf('Worker', JSON.stringify(mail), false)
    expect(news?.text).toContain('  Open http://x/1')
    expect(news?.fields).toEqual({ to: 'ada@example.com', subject: 'Hello' })
  })

  it('removes the colours and the frame from a logged error', () => {
    const line = '\u001b[31m✘ \u001b[0m[ERROR] {"level":"error","event":"lost"}\u001b[0m'
    expect(textOf(line)).toBe('[Worker] lost')
  })

  it('shows every line but empty ones when asked to', () => {
    expect(textOf('{"level":"info"}', true)).toBe('[Worker] {"level":"info"}')
    expect(textOf('Ready', true)).toBe('[Worker] Ready')
    expect(textOf(' ', true)).toBeUndefined()
  })
})

describe('jsonOf', () => {
  it.each(['', 'text', '{', '{ not json }', '[1]'])('is undefined for %j', (line) => {
    expect(jsonOf(line)).toBeUndefined()
  })
})
