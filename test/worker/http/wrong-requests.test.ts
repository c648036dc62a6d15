import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { openUpload } from '../../support/worker/uploads.ts'
import { aVideo } from '../../support/worker/videos.ts'
import {
  readRequest,
  sendWritten,
  writeAnswer,
  type Placeholders,
} from '../../support/worker/clients/written-request.ts'
import written from './wrong-requests.txt?raw'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const methods = /^(GET|POST|PUT|PATCH|DELETE|ADMIN)\b/
const blocks = written.split('\n\n').map((block) => block.trim())
const requests = blocks.filter((block) => methods.test(block))

async function answerAll(): Promise<string> {
  const client = await aClient()
  const reader = await aClient({ accountId: client.accountId, scopes: ['videos:read'] })
  const placeholders: Placeholders = {
    READER: reader.apiKey,
    KEY: client.apiKey,
    ACCOUNT: client.accountId,
    VIDEO: (await aVideo(client)).videoId,
    UPLOAD: (await openUpload(client, 5)).uploadId,
  }
  const answered: string[] = []
  for (const block of blocks) {
    if (methods.test(block)) {
      const [request = ''] = block.split('\n→')
      const answer = await sendWritten(client, readRequest(request), placeholders)
      answered.push(`${request}\n${writeAnswer(answer, placeholders)}`)
    } else answered.push(block)
  }
  return `${answered.join('\n\n')}\n`
}

describe('wrong requests', () => {
  it('get the answers of the table', async () => {
    await expect(await answerAll()).toMatchFileSnapshot('./wrong-requests.txt')
  })

  it('are all refused, with our own messages', () => {
    const answers = requests.map((block) => block.split('\n→ ')[1] ?? '')
    expect(answers.filter((answer) => !/^4\d\d [A-Z]/.test(answer))).toEqual([])
    expect(
      answers.filter((answer) =>
        /(expected|received) (string|number|boolean|array|object|undefined)|Invalid (input|option)|NaN|zod/.test(
          answer,
        ),
      ),
    ).toEqual([])
  })

  it('are at least two hundred', () => {
    expect(new Set(requests).size).toBe(requests.length)
    expect(requests.length).toBeGreaterThanOrEqual(200)
  })
})
