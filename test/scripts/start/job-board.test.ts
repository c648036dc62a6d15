import { describe, expect, it } from 'vitest'
import { JobBoard, type LookUp } from '../../../scripts/start/job-board.ts'
import { Screen } from '../../../scripts/start/screen.ts'
import { eventually } from '../../support/node/eventually.ts'

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

  it('writes plain lines into a pipe: the start, each phase, and the reason', async () => {
    const error = { reason: 'source_unreachable', message: 'fileUrl: the server answered 404' }
    const { board, written } = aBoard({
      isTTY: false,
      lookUp: async () => ({ ...found, status: 'failed', error }),
    })
    board.hear({ message: 'Job accepted', jobId: 'j_1' })
    await eventually(() => expect(written.join('')).toContain('started'))
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 20 })
    board.hear({ message: 'Job progress', jobId: 'j_1', phase: 'rendering', percent: 50 })
    board.hear({ message: 'Job ended', jobId: 'j_1' })
    await eventually(() => expect(written).toHaveLength(3))
    const text = written.join('')
    expect(text).not.toContain('\u001b')
    expect(text.split('\n').map((line) => line.trim())).toEqual([
      'Opening talk  started',
      'Opening talk  rendering',
      expect.stringMatching(
        /^✗ Opening talk +failed after 0\.0 s {2}v_1 {2}source_unreachable: fileUrl: the server answered 404$/,
      ) as string,
      '',
    ])
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
