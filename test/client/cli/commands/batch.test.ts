import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { main } from '../../../../client/src/cli/main.ts'
import { AnsweringServer, answerJson } from '../../support/answering-server.ts'
import { standInTerminal } from '../support/stand-in-terminal.ts'

const batchId = 'b_5tRw8ZkQ1nYcB4vL'
const counts = { succeeded: 0, failed: 0, canceled: 0, deleted: 0, queued: 1, running: 0 }

it('tells who interrupts it that the batch goes on, and how to see and stop it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-batch-'))
  try {
    const file = path.join(folder, 'items.json')
    await writeFile(file, JSON.stringify([{ fileUrl: 'https://example.com/a.mp4' }]))
    const server = await AnsweringServer.start(({ method }, response) => {
      if (method === 'POST') answerJson(response, 202, { batchId, videoIds: ['v_waiting1'] })
      else {
        answerJson(response, 200, { batchId, status: 'running', total: 1, counts })
        terminal.press()
      }
    })
    const env = { SPOOL_API_KEY: 'spool_test', SPOOL_BASE_URL: server.origin }
    const terminal = standInTerminal({ env })
    expect(await main(['batch', file], terminal.surroundings)).toBe(130)
    const told = terminal.stderr.text
    expect(told).toContain(`Batch ${batchId} goes on without you.`)
    expect(told).toContain(`spool batches cancel ${batchId}    to stop it`)
  } finally {
    await rm(folder, { recursive: true })
  }
})
