import { describe, expect, it } from 'vitest'
import type { MediaJob } from '../../../../worker/contract/job/media-job.ts'
import { plan as planSchema } from '../../../../worker/contract/video/video-plan.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { exactly, foreseen } from '../../../support/worker/foreseen.ts'
import { standInMediaWorkers } from '../../../support/worker/media-workers.ts'
import { sourceUrl } from '../../../support/worker/videos.ts'

const workers = standInMediaWorkers()

describe('POST /v1/plans', () => {
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
      ...foreseen,
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

  it('names every fault as a create does', async () => {
    const client = await aClient()
    const body = { fileUrl: sourceUrl, removeSilense: true, rotate: 45 }
    const plan = await client.post('/v1/plans', body)
    expect(plan.status).toBe(400)
    expect(plan.json['details']).toEqual((await client.post('/v1/videos', body)).json['details'])
  })
})
