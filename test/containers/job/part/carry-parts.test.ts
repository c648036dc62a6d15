import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { listenDuringTest } from '../../../support/node/listen-during-test.ts'
import { ServiceParts } from '../../../../containers/job/part/carry-parts.ts'
import {
  partsOfARound,
  partsRequest,
  type PartsRequest,
} from '../../../../worker/contract/job/part-job.ts'
import type { PartSpec } from '../../../../worker/contract/job/part-spec.ts'
import type { PartTask } from '../../../../containers/parts/part-carrier.ts'

/** Stands in for the service: answers what the test says. */
async function aService(answer: (request: PartsRequest) => object) {
  const { origin } = await listenDuringTest((request, response) => {
    void json(request).then((asked) => {
      response.writeHead(200).end(JSON.stringify(answer(partsRequest.parse(asked))))
    })
  })
  return `${origin}/reports`
}

const spec: PartSpec = {
  ...{ version: 1, n: 0, files: [], texts: [], nodes: [], picture: { node: 0, pad: 0 } },
  ...{ zeroSeconds: 0, before: 0, count: 10, after: 0, encoded: [0, 1], edges: [], keys: [] },
  ...{ fps: 25, hasConstantRate: true, coding: [] },
}
const task: PartTask = { n: 0, spec }

function partsAt(url: string): ServiceParts {
  const { signal } = new AbortController()
  const job = { jobId: 'j_0123456789abcdef', fence: 1, reports: { url, key: 'k' } }
  const context = { job, settings: {}, folder: '/nowhere', log: () => undefined, signal, askMs: 1 }
  return new ServiceParts(context as unknown as ConstructorParameters<typeof ServiceParts>[0])
}

describe('ServiceParts', () => {
  it('counts the slots that its parts have just left, so that a film begun again is divided again', async () => {
    const stop = new AbortController()
    const stopped: PartsRequest[] = []
    const url = await aService((request) => {
      if (request.ask === 'idle') return { idle: 0, beside: 0 }
      if (request.ask === 'give') return { taken: true }
      if (request.ask === 'stop') stopped.push(request)
      if (request.ask === 'state') stop.abort(new Error('Another quality is tried'))
      return { parts: [{ n: 0, try: 1, state: 'running', pictures: 1, bytes: 10 }] }
    })
    const parts = partsAt(url)
    expect(await parts.idle()).toMatchObject({ idle: 0 })
    await expect(parts.run(task, stop.signal, () => undefined)).rejects.toThrow('Another quality')
    expect(stopped).toMatchObject([{ parts: [{ n: 0, try: 1 }] }])
    expect(await parts.idle()).toMatchObject({ idle: 1 })
  })

  it('gives a part again with the same number if nobody took it, and with a new one if it failed', async () => {
    const given: [number, number][] = []
    const url = await aService((request) => {
      if (request.ask === 'give') given.push([request.n, request.try])
      if (request.ask === 'give') return { taken: given.length > 1 }
      if (request.ask !== 'state') return {}
      return { parts: request.parts.map((one) => ({ ...one, state: 'failed', why: 'It broke.' })) }
    })
    const parts = partsAt(url)
    const { signal } = new AbortController()
    const run = async () => parts.run(task, signal, () => undefined)
    expect(await run()).toBeUndefined()
    await expect(run()).rejects.toThrow('A part failed elsewhere: It broke.')
    await expect(run()).rejects.toThrow('A part failed elsewhere: It broke.')
    expect(given).toEqual([
      [0, 1],
      [0, 1],
      [0, 2],
    ])
    parts.begin()
    parts.begin()
    await expect(run()).rejects.toThrow('It broke.')
    expect(given.at(-1)).toEqual([partsOfARound, 1])
  })

  it('knows of no slots if the service is older and knows nothing of parts', async () => {
    const url = await aService(() => ({ error: 'NotFound' }))
    expect(await partsAt(url).idle()).toMatchObject({ idle: 0 })
  })
})
