import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../../scripts/start/log-files.ts'
import { terminalLine } from '../../../scripts/start/terminal-lines.ts'

describe('terminalLine', () => {
  it.each([
    ['{"level":"info","status":200}', undefined],
    ['{"level":"warn"}', undefined],
    ['{"level":"info","status":404}', undefined],
    ['{"level":"info","status":503}', '[Worker] {"level":"info","status":503}'],
    ['{"level":"error"}', '[Worker] {"level":"error"}'],
    ['[wrangler:info] Ready on http://127.0.0.1:8787', undefined],
    ['[wrangler:error] Error: thrown', '[Worker] [wrangler:error] Error: thrown'],
    ['✘ [ERROR] Build failed', '[Worker] ✘ [ERROR] Build failed'],
  ])('shows only errors: %j', (line, shown) => {
    expect(terminalLine('Worker', line, false)).toBe(shown)
  })

  it('removes the colours and the frame from a logged error', () => {
    const line = '\u001b[31m✘ \u001b[0m[ERROR] {"level":"error"}\u001b[0m'
    expect(terminalLine('Worker', line, false)).toBe('[Worker] {"level":"error"}')
  })

  it('shows every line but empty ones when asked to', () => {
    expect(terminalLine('Worker', '{"level":"info"}', true)).toBe('[Worker] {"level":"info"}')
    expect(terminalLine('Worker', 'Ready', true)).toBe('[Worker] Ready')
    expect(terminalLine('Worker', ' ', true)).toBeUndefined()
  })
})

describe('jsonOf', () => {
  it.each(['', 'text', '{', '{ not json }', '[1]'])('is undefined for %j', (line) => {
    expect(jsonOf(line)).toBeUndefined()
  })
})
