import { describe, expect, it } from 'vitest'
import { main } from '../../../../client/src/cli/main.ts'
import { AnsweringServer, answerJson } from '../../support/answering-server.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

const answers: Record<string, [status: number, body: object]> = {
  v_waiting1: [200, { videoId: 'v_waiting1', status: 'canceled' }],
  v_waiting2: [200, { videoId: 'v_waiting2', status: 'canceled' }],
  v_ended000: [409, { error: 'Conflict', message: 'The video has already succeeded.' }],
  v_gone0000: [404, { error: 'NotFound', message: 'Video not found.' }],
  v_refused0: [403, { error: 'Forbidden', message: 'This key may not do that.' }],
}

async function run(...words: string[]) {
  const server = await AnsweringServer.start((asked, response) => {
    const id = Object.keys(answers).find((known) => asked.url.includes(known)) ?? ''
    const [status, body] = answers[id] ?? [500, {}]
    answerJson(response, status, body)
  })
  const env = { SPOOL_API_KEY: 'spool_test', SPOOL_BASE_URL: server.origin }
  const { surroundings, stdout, stderr } = standInTerminal({ env })
  const exitCode = await main(words, surroundings)
  return { exitCode, out: stdout.text, err: stderr.text, count: server.asked.length }
}

describe('a command for several videos', () => {
  it('goes on after one that has ended or is gone, names it, and fails', async () => {
    const ids = ['v_waiting1', 'v_ended000', 'v_gone0000', 'v_waiting2']
    const { exitCode, out, err } = await run('cancel', ...ids, '--json')
    expect(exitCode).toBe(5)
    expect(JSON.parse(out)).toEqual([answers['v_waiting1']?.[1], answers['v_waiting2']?.[1]])
    expect(JSON.parse(err.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: 'Refused',
      message: 'Not canceled: 2 of 4 videos.',
      hints: ['  v_ended000  The video has already succeeded.', '  v_gone0000  Video not found.'],
    })
    const deleted = await run('delete', 'v_gone0000', 'v_waiting1', '--yes')
    expect(deleted.exitCode).toBe(4)
    expect(deleted.err).toContain('Deleted v_waiting1')
    expect(deleted.err).toContain('Not deleted: 1 of 2 videos.\n  v_gone0000  Video not found.')
  })

  it('stops at what would be refused for each of them', async () => {
    const { exitCode, err, count } = await run('cancel', 'v_refused0', 'v_waiting1')
    expect({ exitCode, count }).toEqual({ exitCode: 3, count: 1 })
    expect(err).toContain('This key may not do that.')
  })
})
