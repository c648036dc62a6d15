import { expect, it, onTestFinished } from 'vitest'
import { serviceWindows } from '../../../../containers/job/hear/service-windows.ts'
import { keepInPieces } from '../../../../containers/job/measure/measured-once.ts'
import { partsRequest, type PartsRequest } from '../../../../worker/contract/job/part-job.ts'
import { listen } from '../../../support/node/listen.ts'

const name = 'a'.repeat(64)

/** What a job keeps for later ones, at a service that answers this, and the requests that reach it. */
async function keptAt(answer: (asked: PartsRequest) => object | undefined) {
  const asked: PartsRequest['ask'][] = []
  const server = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const read = partsRequest.parse(JSON.parse(Buffer.concat(chunks).toString()))
      asked.push(read.ask)
      const said = answer(read)
      response.writeHead(said ? 200 : 503).end(JSON.stringify(said ?? {}))
    })
  })
  onTestFinished(server.close)
  const reports = { url: server.origin, key: 'key', heartbeatSeconds: 5 }
  const { signal } = new AbortController()
  const warned: string[] = []
  const log = (_: unknown, message: string) => void warned.push(message)
  const job = { fence: 1, reports }
  const texts = serviceWindows({ job, signal, log, pausesMs: [0] }, 'account')
  return { texts, kept: keepInPieces(texts, log), asked, warned }
}

/** Bytes of several pieces, since they cannot be packed. */
function manyBytes(): Buffer {
  const bytes = Buffer.alloc(2_000_000)
  for (let i = 0, seed = 1; i < bytes.length; i++) bytes[i] = seed = (seed * 48_271) % 2_147_483_647
  return bytes
}

it('sends nothing more to a service that has said that it keeps nothing', async () => {
  const { texts, kept, asked } = await keptAt(() => ({ windows: [], off: true }))
  expect(kept.takes(1)).toBe(true)
  expect(await kept.find(name)).toBeUndefined()
  expect(kept.takes(1)).toBe(false)
  await kept.keep(name, manyBytes())
  expect(await texts.keep(name, 'text')).toBe(false)
  expect(await kept.find(name)).toBeUndefined()
  expect(asked).toEqual(['recall'])
})

it('stops after the first piece if the service keeps nothing, and was not asked before', async () => {
  const { kept, asked } = await keptAt(() => ({ off: true }))
  await kept.keep(name, manyBytes())
  expect(asked).toEqual(['remember'])
})

it('keeps all pieces at a service that keeps them', async () => {
  const { kept, asked } = await keptAt(({ ask }) =>
    ask === 'recall' ? { windows: [], off: false } : { off: false },
  )
  await kept.find(name)
  await kept.keep(name, manyBytes())
  expect(asked).toEqual(['recall', ...Array.from({ length: 4 }, () => 'remember')])
})

it('gives up at the first piece that could not be kept, without a head', async () => {
  let taken = 0
  const { kept, asked, warned } = await keptAt(() => (++taken === 1 ? { off: false } : undefined))
  await kept.keep(name, manyBytes())
  // The second piece is tried twice.
  expect(asked).toEqual(['remember', 'remember', 'remember'])
  expect(warned).toEqual(['What was heard was not kept'])
})
