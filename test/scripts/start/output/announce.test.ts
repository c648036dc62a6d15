import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { dataDirectory } from '../../../../scripts/start/data/data-directory.ts'
import { announcement } from '../../../../scripts/start/output/announce.ts'
import type { ServiceRun } from '../../../../scripts/start/run.ts'
import { readSettings } from '../../../../scripts/start/settings.ts'

/** A service that makes links. */
async function aTarget() {
  const link = { url: 'http://127.0.0.1/app/link/x', expiresAt: '2026-01-01T00:00:00.000Z' }
  const server = createServer((_, answer) => void answer.end(JSON.stringify(link)))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return { baseUrl: `http://127.0.0.1:${address.port}`, adminSecret: 'a'.repeat(32) }
}

async function announced(env: Record<string, string>): Promise<string> {
  const run: ServiceRun = {
    mode: 'server',
    settings: readSettings(env),
    tellsSecrets: true,
    data: dataDirectory('/var/lib/spool'),
    secrets: {} as ServiceRun['secrets'],
    ports: { entry: 1, loopback: 2, inspector: 3 },
    own: {} as ServiceRun['own'],
  }
  const published = { baseUrl: 'http://127.0.0.1:8787', apiKey: 'spool_x' }
  const { text = '' } = await announcement(published, run, await aTarget(), 'a_01234567')
  return text
}

it('announcement sends its requests to where it listens, and names the clip as clients reach it', async () => {
  const text = await announced({ BASE_URL: 'https://video.example.com' })
  expect(text).toContain('curl http://127.0.0.1:8787/v1/videos ')
  expect(text).toContain('"fileUrl": "https://video.example.com/docs/examples/speech.mp4"')
  expect(await announced({})).toContain(
    '"fileUrl": "http://127.0.0.1:8787/docs/examples/speech.mp4"',
  )
})
