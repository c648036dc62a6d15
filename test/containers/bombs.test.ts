import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { JobError } from '../../containers/errors/job-error.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { aviBombs, honestAvi } from '../support/node/bombs/avi-file.ts'
import { harmlessMovs, honestMov, movBombs } from '../support/node/bombs/mov-bombs.ts'
import { webmBombs } from '../support/node/bombs/webm-file.ts'
import { makeFile } from '../support/node/fixtures.ts'
import { aJob } from '../support/containers/a-job.ts'
import { aToolContext } from '../support/containers/tool-context.ts'
import { aReceiver, aServiceForAll } from '../support/containers/service-for-all.ts'
import { campaign } from '../support/node/campaign.ts'

const service = aServiceForAll({})
let jpeg: Buffer

beforeAll(async () => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64', '-frames:v', '1', '-q:v', '20']
  jpeg = await readFile(await makeFile('jpg', picture))
})

/** Sends the bytes as a job to the media worker of these tests, and waits for its last report. */
async function run(bytes: Buffer) {
  const receiver = await aReceiver({ partSizeBytes: 50_000_000 })
  const url = service.sources.route('/bomb', (_request, response) => {
    response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
  })
  const job = aJob({ inputs: [url], reportsUrl: receiver.reportsUrl })
  await expect.poll(async () => (await service.worker.post('/jobs', job)).status, slot).toBe(202)
  return receiver.when(({ type }) => type === 'failed' || type === 'succeeded')
}

/** The slot of the previous job becomes free shortly after its last report. */
const slot = { timeout: 60_000, interval: 50 }

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${service.worker.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function measure(bytes: Buffer) {
  const tools = await aToolContext()
  await writeFile(path.join(tools.folder, 'in0'), bytes)
  const request = { path: 'in0', field: 'fileUrl', maxSeconds: 14_400 }
  return { tools, facts: measureMedia(tools, request) }
}

describe('a file that claims more than it holds', () => {
  it('fails with the limit and the count, and disturbs neither the media worker nor the next job', async () => {
    const next = honestMov(jpeg)
    expect(await run(next)).toMatchObject({ type: 'succeeded' })
    const before = await residentBytes()
    const wrong: unknown[] = []
    for (const { name, bytes, says } of all().flatMap((some) => some.slice(0, 1))) {
      const end = await run(bytes())
      if (end.type !== 'failed' || !isPlain(end, says)) wrong.push({ name, end })
    }
    expect(wrong).toEqual([])
    expect(await run(next)).toMatchObject({ type: 'succeeded' })
    expect((await residentBytes()) - before).toBeLessThan(150 * 1024 ** 2)
  })

  campaign('is refused while it is measured, whatever it claims', async () => {
    for (const { name, bytes, says } of all().flatMap((some) => some.slice(1))) {
      const { facts } = await measure(bytes())
      const error = await facts.then(
        () => undefined,
        (error: unknown) => error,
      )
      if (!(error instanceof JobError) || !isPlain(error, says))
        expect.fail(`${name}: ${String(error)}`)
    }
  })

  it('is refused before any program opens it', async () => {
    const { 'sizes for two billion': bomb } = movBombs(jpeg)
    const { tools, facts } = await measure(bomb?.bytes() ?? Buffer.alloc(0))
    await expect(facts).rejects.toMatchObject({
      reason: 'source_too_large',
      message:
        'fileUrl: the file has 2,147,483,647 pieces of picture or sound in one stream; at most 2,000,000 are allowed.',
    })
    expect(tools.commands).toEqual([])
  })

  it('is accepted as a video if its false claim does no harm', async () => {
    const harmless = { ...harmlessMovs(jpeg), 'an honest avi': honestAvi(jpeg) }
    for (const [name, bytes] of Object.entries(harmless)) {
      const { facts } = await measure(bytes)
      expect(await facts, name).toMatchObject({ durationSeconds: 2, video: { averageFps: 25 } })
    }
  })
})

/** By format; the first of each is the one that a whole job tries. */
function all() {
  const bombs = { mov: movBombs(jpeg), webm: webmBombs(), avi: aviBombs(jpeg) }
  return Object.entries(bombs).map(([format, some]) =>
    Object.entries(some).map(([name, bomb]) => ({ name: `${format}: ${name}`, ...bomb })),
  )
}

function isPlain({ reason, message }: { reason: string; message: string }, says: RegExp): boolean {
  return reason.startsWith('source_') && says.test(message)
}
