import { describe, expect, it } from 'vitest'
import type { ForeseenJob } from '../../../../worker/contract/job/foresight.ts'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { plan as planSchema } from '../../../../worker/contract/video/video-plan.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { someMetadata } from '../../../support/worker/attempt.ts'
import type { Client } from '../../../support/worker/client.ts'
import { FilmLead } from '../../../support/worker/film.ts'
import { exactly, foreseen } from '../../../support/worker/foreseen.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { aRunningVideo, sourceUrl } from '../../../support/worker/videos.ts'

const standIns = standInForAll()
const workers = standIns.media

const engine = '1.0.0-abc'
const files = [{ field: 'fileUrl', sha256: 'a'.repeat(64) }]
const made = { engine, files }

/** What POST /v1/plans answers to a client if the media worker answers this. */
async function planned(client: Client, answer: Partial<ForeseenJob>, request: object = {}) {
  workers.current.answerPlan = () => Response.json({ ...foreseen, ...answer })
  const { json } = await client.post('/v1/plans', { fileUrl: sourceUrl, ...request })
  return planSchema.parse(json)
}

describe('POST /v1/plans', () => {
  it('says that nothing is made if the same was made before, and only then', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.report({ type: 'fetched', ...made })
    expect((await planned(client, { made })).reusedFrom).toBeNull()
    await attempt.finish()
    // What would be refused by its limits is answered by what stands.
    const refusal = { reason: 'beyond_limit', message: 'maxSeconds: too long' } as const
    const plan = await planned(client, { made, refusal }, { maxSeconds: 1, videoName: 'Again' })
    const said = `Nothing is made: the answer is the result of ${videoId}, which was made of the same`
    expect(plan).toMatchObject({
      ...{ reusedFrom: videoId, refusal: null, steps: [said] },
      ...{ seconds: exactly(0), cpuSeconds: exactly(0), price: exactly(0) },
      // The result is known already, and nothing of it is a guess.
      results: [
        {
          duration: exactly(someMetadata.duration),
          sizeInBytes: exactly(someMetadata.sizeInBytes),
        },
      ],
      warnings: [],
    })
    expect(plan.summary).toEqual([said, expect.stringMatching(/^MP4, /), 'Costs nothing'])
    const other = [{ field: 'fileUrl', sha256: 'b'.repeat(64) }]
    const others: [string, Client, Partial<ForeseenJob>, object?][] = [
      ['bytes', client, { made: { engine, files: other } }],
      ['engine', client, { made: { engine: '1.0.1-abc', files } }],
      ['options', client, { made }, { compressionQuality: 99 }],
      ['wish', client, { made }, { reuse: false }],
      ['account', await aClient(), { made }],
      ['what an older media worker says', client, {}],
    ]
    for (const [what, who, answer, request] of others) {
      const { reusedFrom, seconds } = await planned(who, answer, request)
      expect({ what, reusedFrom, seconds }).toEqual({
        ...{ what, reusedFrom: null, seconds: foreseen.seconds },
      })
    }
    await client.delete(`/v1/videos/${videoId}`)
    expect((await planned(client, { made })).reusedFrom).toBeNull()
  })

  it('counts no time for words that an earlier video has heard', async () => {
    const client = await aClient()
    const [name, other] = ['c'.repeat(64), 'd'.repeat(64)]
    const { attempt } = await aRunningVideo(client)
    await attempt.report({ type: 'fetched', ...made })
    const lead = new FilmLead(attempt.job)
    const text = '{"language":"en","segments":[]}'
    expect((await lead.ask({ ask: 'remember', name, text })).status).toBe(200)
    const takes = { refusal: null, seconds: exactly(1), cpuSeconds: exactly(2) }
    const ifKept = { names: [other, name], ...takes }
    const plan = await planned(client, { made, ifKept })
    expect(plan).toMatchObject({ ...takes, wordsKept: true })
    expect(plan).not.toHaveProperty('ifKept')
    expect(plan.summary).toContain(
      'The words of this source were heard before, and are not heard again',
    )
    const others: [Client, Partial<ForeseenJob>][] = [
      [client, { made, ifKept: { ...ifKept, names: [other] } }],
      [client, { made: { engine: '1.0.1-abc', files }, ifKept }],
      [await aClient(), { made, ifKept }],
    ]
    for (const [who, answer] of others) {
      const { wordsKept, seconds } = await planned(who, answer)
      expect({ wordsKept, seconds }).toEqual({ wordsKept: false, seconds: foreseen.seconds })
    }
  })

  it('asks once more with words that an earlier video has heard, where they decide what is made', async () => {
    const client = await aClient()
    const name = 'e'.repeat(64)
    const { attempt } = await aRunningVideo(client)
    await attempt.report({ type: 'fetched', ...made })
    const text = '{"language":"en","segments":[]}'
    await new FilmLead(attempt.job).ask({ ask: 'remember', name, text })
    const takes = { refusal: null, seconds: exactly(1), cpuSeconds: exactly(2) }
    const ifKept = { names: [name], decide: true, ...takes }
    const asked: MediaJob['heard'][] = []
    workers.current.answerPlan = ({ heard }) => {
      asked.push(heard)
      const known = heard ? { unknown: [], seconds: exactly(3) } : { unknown: ['the words'] }
      return Response.json({ ...foreseen, made, ifKept, ...known })
    }
    const { json } = await client.post('/v1/plans', { fileUrl: sourceUrl, removeText: ['well'] })
    expect(asked).toEqual([undefined, { name, text }])
    const plan = planSchema.parse(json)
    expect(plan).toMatchObject({ unknown: [], seconds: exactly(3), wordsKept: true })
    expect(json).not.toHaveProperty('made')
    expect(json).not.toHaveProperty('ifKept')
  })

  it('answers what a media worker foresees, with its price, and makes nothing', async () => {
    const client = await aClient()
    const asked: MediaJob[] = []
    workers.current.answerPlan = (job) => {
      asked.push(job)
      return Response.json(foreseen)
    }
    const body = { fileUrl: sourceUrl, preset: 'clean-talk', maxPrice: 0.5 }
    const { status, json } = await client.post('/v1/plans', body)
    expect(status).toBe(200)
    const { steps, summary, ...rest } = planSchema.parse(json)
    expect(rest).toEqual({
      ...{ ...foreseen, reusedFrom: null, wordsKept: false },
      startsIn: exactly(0),
      // 0.00002 for each second, and 0.015 for each GB.
      price: { likely: 0.032, least: 0.016, most: 0.064 },
    })
    expect(summary).toEqual([
      'MP4, 12 s, about 2 GB (1 GB to 4 GB), picture copied',
      'Warning: The video has no sound.',
      'Begins at once, takes 4 s; about 1 min 30 s (50 s to 3 min 30 s) of a processor',
      'Costs about 0.03 (0.02 to 0.06)',
    ])
    expect(steps).toContain('cut the pauses in which nobody speaks')
    expect(asked).toMatchObject([
      {
        ...{ account: client.accountId, inputs: [{ url: sourceUrl }] },
        most: { price: 0.5, prices: { cpuSecond: 0.00002, gigabyte: 0.015 } },
      },
    ])
    expect((await client.get('/v1/videos')).json['data']).toEqual([])
    expect(workers.current.offers).toEqual([])
  })

  it('asks the next media worker if one is busy, and says when no plan could be made', async () => {
    const client = await aClient()
    let tried = 0
    workers.current.answerPlan = () => {
      tried += 1
      return tried === 1 ? new Response(null, { status: 503 }) : Response.json(foreseen)
    }
    expect((await client.post('/v1/plans', { fileUrl: sourceUrl })).status).toBe(200)
    workers.current.answerPlan = () => new Response(null, { status: 503 })
    const busy = await client.post('/v1/plans', { fileUrl: sourceUrl })
    expect(busy).toMatchObject({ status: 503, json: { retryAfter: 5 } })
    workers.current.answerPlan = () => new Response(null, { status: 504 })
    const late = await client.post('/v1/plans', { fileUrl: sourceUrl })
    expect(late.json['message']).toBe('To look at the sources takes longer than a plan may.')
  })

  it.each(['/v1/plans', '/v1/videos/plan'])(
    'names every fault as a create does: %s',
    async (path) => {
      const client = await aClient()
      const body = { fileUrl: sourceUrl, removeSilense: true, rotate: 45 }
      const plan = await client.post(path, body)
      expect(plan.status).toBe(400)
      expect(plan.json['details']).toEqual((await client.post('/v1/videos', body)).json['details'])
    },
  )
})
