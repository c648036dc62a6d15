import { describe, expect, it } from 'vitest'
import { JobBoard, type LookUp } from '../../../../scripts/start/output/job-board.ts'
import { JsonLines } from '../../../../scripts/start/output/news.ts'
import { Screen } from '../../../../scripts/start/output/screen.ts'
import { eventually } from '../../../support/node/eventually.ts'

function aBoard({ isTTY, lookUp }: { isTTY: boolean; lookUp?: LookUp }) {
  const written: string[] = []
  let now = 0
  const screen = new Screen({ isTTY, columns: 80, write: (text) => written.push(text) })
  const board = new JobBoard(screen, () => now)
  if (lookUp) board.askFor(lookUp)
  return {
    board,
    wait: (ms: number) => (now += ms),
    written,
    /** What a person sees at the end, when every line that changed in place is gone. */
    seen: () => lastScreen(written.join('')),
  }
}

function lastScreen(text: string): string[] {
  const lines: string[] = []
  for (const part of text.split('\n')) {
    const [, up, rest = part] = /^\u001b\[(\d+)A\r\u001b\[J(.*)$/.exec(part) ?? []
    if (up !== undefined) lines.splice(lines.length - Number(up))
    lines.push(rest)
  }
  return lines.slice(0, -1)
}

const found = { videoId: 'v_1', name: 'Opening talk', error: null }

describe('JobBoard', () => {
  it('updates one line for each job on a terminal, and leaves the result', async () => {
    const { board, wait, seen } = aBoard({
      isTTY: true,
      lookUp: async () => ({ ...found, status: 'succeeded' }),
    })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    await eventually(() => expect(seen().join()).toContain('Opening talk'))
    wait(2_500)
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 41.7 })
    expect(seen()).toHaveLength(1)
    expect(seen()[0]).toMatch(/Opening talk +rendering +41 % +2\.5 s/)
    board.hear({ message: 'Job ended', jobId: 'j_1' })
    await eventually(() =>
      expect(seen()[0]).toMatch(/^✓ Opening talk +succeeded in 2\.5 s {2}v_1$/),
    )
    expect(seen()).toHaveLength(1)
  })

  it('writes one line for each job into a pipe: how it ended, and how far it came', async () => {
    const error = { reason: 'source_unreachable', message: 'fileUrl: the server answered 404' }
    const { board, wait, written } = aBoard({
      isTTY: false,
      lookUp: async () => ({ ...found, status: 'failed', error }),
    })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 20 })
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 50 })
    wait(2_500)
    board.tick()
    board.hear({ message: 'Job ended', jobId: 'j_1' })
    await eventually(() => expect(written).toHaveLength(1))
    expect(written[0]).toMatch(
      /^✗ Opening talk +failed after 2\.5 s \(rendering, 50 %\) {2}v_1 {2}source_unreachable: fileUrl: the server answered 404\n$/,
    )
  })

  it('writes a line a minute into a pipe for a job that takes long', () => {
    const { board, wait, written } = aBoard({ isTTY: false })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 41.7 })
    for (let second = 0; second < 130; second++) {
      wait(1_000)
      board.tick()
    }
    expect(written).toHaveLength(2)
    expect(written[1]).toMatch(/^ {2}j_1 +rendering +41 % {2}2 min 00 s\n$/)
  })

  it('tells machines the same under names that stay', async () => {
    const written: string[] = []
    const at = '2026-11-22T12:00:00.000Z'
    const lines = new JsonLines(
      (line) => written.push(line),
      () => new Date(at),
    )
    let now = 0
    const board = new JobBoard(lines, () => now)
    board.askFor(async () => ({ ...found, status: 'succeeded' }))
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    await eventually(() => expect(written).toHaveLength(1))
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 41.7 })
    now = 60_000
    board.tick()
    now = 61_500
    board.hear({ message: 'Job ended', jobId: 'j_1' })
    await eventually(() => expect(written).toHaveLength(3))
    const job = { at, level: 'info', jobId: 'j_1', name: 'Opening talk' }
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      { ...job, event: 'job.started', videoId: 'v_1' },
      { ...job, event: 'job.running', phase: 'rendering', percent: 41, seconds: 60 },
      {
        ...job,
        event: 'job.ended',
        phase: 'done',
        percent: 100,
        seconds: 61.5,
        videoId: 'v_1',
        result: 'succeeded',
      },
    ])
    expect(written.every((line) => line.endsWith('}\n'))).toBe(true)
  })

  it('keeps permanent lines above those that change in place', () => {
    const { board, seen, written } = aBoard({ isTTY: true })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    const screen = new Screen({ isTTY: true, columns: 80, write: (text) => written.push(text) })
    screen.show(['moving'])
    screen.say('stays')
    expect(seen().slice(-2)).toEqual(['stays', 'moving'])
  })

  it('prints a name without control characters', async () => {
    const { board, written } = aBoard({
      isTTY: true,
      lookUp: async () => ({
        ...found,
        name: '\u001b]0;owned\u0007\u202etalk\n',
        status: 'queued',
      }),
    })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    await eventually(() => expect(written.join('')).toContain(']0;ownedtalk'))
    expect(written.join('')).not.toMatch(/\u0007|\u202e/)
  })

  it('fits lines to the width of the terminal, and leaves other messages to the log', () => {
    const { board, seen } = aBoard({ isTTY: true })
    expect(board.hear({ message: 'Media worker ready' })).toBe(false)
    board.hear({ message: 'Job accepted', jobId: `j_${'x'.repeat(200)}` })
    expect(seen().every((line) => line.length < 80)).toBe(true)
  })
})
