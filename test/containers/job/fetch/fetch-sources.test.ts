import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { aJob, aJobId } from '../../../support/containers/a-job.ts'
import {
  plainImage,
  plainVideo,
  threeColorGif,
} from '../../../support/containers/films/element-files.ts'
import { colorDistance, firstFrame, rgbOf } from '../../../support/containers/films/frame-pixels.ts'
import type { MediaWorker } from '../../../support/containers/media-worker.ts'
import { toneFile } from '../../../support/containers/sound/sound-files.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'
import {
  aMediaWorker,
  aReceiver,
  aServiceForAll,
  runJob,
} from '../../../support/containers/service-for-all.ts'
import { campaign } from '../../../support/node/campaign.ts'
import {
  listElementFiles,
  listBesideFiles,
} from '../../../../containers/job/fetch/fetch-sources.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

/** With the usual settings. */
const service = aServiceForAll({})

type Work = {
  elements: readonly Record<string, unknown>[]
  at?: MediaWorker
  changes?: Partial<MediaJob>
}

async function run({ elements, at = service.worker, changes = {} }: Work) {
  const inputs = [{ url: service.sources.file(await plainVideo()), origin: 'storage' as const }]
  const { receiver, end } = await runJob(at, { inputs, options: { elements }, more: changes })
  return { end, output: () => receiver.output() }
}

describe('fetchSources', () => {
  it('fetches an address once for all elements that use it, and shows them', async () => {
    const image = service.sources.file(await plainImage('#ff0000', '32x32'))
    const gif = service.sources.file(await threeColorGif())
    const elements = [
      { type: 'image', url: image, position: { anchor: 'top-left' } },
      { type: 'audio', url: service.sources.file(await toneFile('mp3', 1)) },
      { type: 'image', url: image, position: { anchor: 'bottom-right' } },
      { type: 'gif', url: gif, position: { anchor: 'top-right' } },
    ]
    const before = service.sources.hits.length
    const { end, output } = await run({ elements })
    expect(end).toMatchObject({ type: 'succeeded', warnings: [] })
    const asked = service.sources.hits.slice(before).map((hit) => path.extname(hit))
    expect(asked.sort()).toEqual(['.gif', '.mp3', '.mp4', '.png'])
    const file = path.join(await aFolder(), 'out.mp4')
    await writeFile(file, output())
    const frame = await firstFrame(file)
    for (const [x, y] of [
      [8, 8],
      [311, 231],
      [294, 8],
    ] as const) {
      expect(colorDistance(frame.at(x, y), rgbOf('#ff0000'))).toBeLessThan(12)
    }
  })

  it('names the element that cannot be fetched, and why', async () => {
    const elements = [
      { type: 'image', url: service.sources.file(await plainImage('#ff0000', '32x32')) },
      { type: 'video', url: `${service.sources.origin}/nowhere.mp4` },
    ]
    const { end } = await run({ elements })
    expect(end).toMatchObject({
      type: 'failed',
      reason: 'element_unusable',
      message: 'elements[1].url: the server answered 404',
      retryable: false,
    })
  })

  // The worker waits with its answer for as long as the slowest private host may take.
  campaign('tells nothing about a private host if others can reach the service', async () => {
    const page = service.sources.route('/router', (_request, response) =>
      response.writeHead(200).end('<html><body>Router</body></html>'),
    )
    const others = [`${service.sources.origin}/nowhere.mp4`, 'http://127.0.0.1:9/']
    const at = await aMediaWorker({ REACH: 'others', MEDIA_SLOTS: '3' })
    const ends = await Promise.all(
      [page, ...others].map(async (url) => run({ elements: [{ type: 'image', url }], at })),
    )
    const told = ends.map(({ end }) => (end.type === 'failed' ? end.message : end))
    expect([...new Set(told)]).toEqual([
      expect.stringContaining('Which of these a private host did'),
    ])
  })

  it('requests private addresses for elements only if they are our own, and counts them in the limit of what a job may fetch', async () => {
    const at = await aMediaWorker({ ALLOW_PRIVATE_HOSTS: '', MAX_JOB_INPUT_BYTES: '1000000' })
    const url = service.sources.file(await plainImage('#ff0000', '32x32'))
    const elements = [{ type: 'image', url }]
    const foreign = await run({ elements, at })
    expect(foreign.end).toMatchObject({
      type: 'failed',
      reason: 'source_not_allowed',
      message: 'elements[0].url: the address is not allowed.',
    })
    const elementSources: MediaJob['elementSources'] = [{ url, origin: 'storage' }]
    const changes = { elementSources }
    expect((await run({ elements, at, changes })).end.type).toBe('succeeded')
    const large = service.sources.route('/large.png', (_request, response) =>
      response.writeHead(200).end(Buffer.alloc(1_000_000)),
    )
    const tooMuch = await run({
      ...{ elements: [{ type: 'image', url: large }], at },
      changes: { elementSources: [{ url: large, origin: 'storage' }] },
    })
    expect(tooMuch.end).toMatchObject({ type: 'failed', reason: 'source_too_large' })
  })

  it('does not let a server lead it to our own service', async () => {
    const receiver = await aReceiver()
    const Location = new URL('/cdn-cgi/explorer', receiver.reportsUrl).href
    const url = service.sources.route('/to-us', (_request, response) =>
      response.writeHead(302, { Location }).end(),
    )
    const job = aJob({ inputs: [url], reportsUrl: receiver.reportsUrl, jobId: aJobId() })
    expect((await service.worker.post('/jobs', job)).status).toBe(202)
    expect(await receiver.end()).toMatchObject({
      type: 'failed',
      reason: 'source_not_allowed',
      message: 'fileUrl: the address is not allowed.',
    })
  })
})

const logo = { type: 'image', url: 'https://a.example/logo.png' }
const clip = { type: 'video', url: 'https://a.example/files/token/clip.webm' }

const listed = (elements: readonly unknown[], elementSources?: MediaJob['elementSources']) =>
  listElementFiles({
    options: optionsSchema.parse({ elements }),
    ...(elementSources && { elementSources }),
  })

describe('listElementFiles', () => {
  it('lists an address once, with every element that uses it', () => {
    expect(listed([logo, clip, logo])).toEqual([
      {
        field: 'elements[0].url',
        url: logo.url,
        origin: 'customer',
        failure: 'element_unusable',
        elements: [0, 2],
      },
      {
        field: 'elements[1].url',
        url: clip.url,
        origin: 'customer',
        failure: 'element_unusable',
        elements: [1],
      },
    ])
  })

  it('checks every address that is not marked as our own', () => {
    const files = listed(
      [logo, clip],
      [
        { url: 'https://a.example/logo.png?parsed', origin: 'customer' },
        { url: clip.url, origin: 'storage' },
      ],
    )
    expect(files).toMatchObject([
      { url: 'https://a.example/logo.png?parsed', origin: 'customer' },
      { url: clip.url, origin: 'storage' },
    ])
  })

  it('is empty without elements', () => {
    expect(listElementFiles({ options: optionsSchema.parse({}) })).toEqual([])
  })
})

it('listBesideFiles fetches a font from where the job has it, or else from where the option names it', () => {
  const font = 'https://example.com/own.ttf'
  const options = optionsSchema.parse({ elements: [{ type: 'text', text: 'Hello', font }] })
  const field = 'elements[0].font'
  expect(listBesideFiles({ options })).toMatchObject([{ field, url: font, origin: 'customer' }])
  const beside = [{ field, url: 'http://files.example/own.ttf', origin: 'link' as const }]
  expect(listBesideFiles({ options, beside })).toMatchObject([
    { field, url: 'http://files.example/own.ttf', origin: 'link' },
  ])
})
