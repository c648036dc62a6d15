import { expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { anOwner } from '../../support/worker/dashboard/visitor.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

it('the pages of batches list them with their progress, show the videos of one, and cancel it', async () => {
  const client = await aClient()
  const owner = await anOwner(client.accountId)
  expect((await owner.get('/app/batches')).text).toContain('No batches yet')
  const items = [
    { fileUrl: sourceUrl, videoName: 'First <b>' },
    { fileUrl: sourceUrl, videoName: 'Second' },
  ]
  const { json } = await client.post('/v1/batches', { items })
  const address = `/app/batches/${String(json['batchId'])}`
  const [first = ''] = json['videoIds'] as string[]
  await client.post(`/v1/videos/${first}/cancel`)
  const list = await owner.get('/app/batches')
  expect(list.text).toContain(`href="${address}"`)
  expect(list.text).toContain('1 of 2 have ended')
  const shown = await owner.get(address)
  expect(shown.text).toContain('First &lt;b&gt;')
  const parts = /<div data-region="cancel">.*?<\/div>/.exec(shown.text)?.[0]
  expect(parts).toContain('Cancel 1 video<')
  expect(shown.text).toContain('Cancel the rest of this batch?')
  const sent = await owner.submit(address, {})
  expect(sent.status).toBe(303)
  const over = await owner.get(address)
  expect(over.text).toContain('2 canceled')
  expect(over.text).toContain('<div data-region="cancel"></div>')
  expect((await client.get(`/v1/batches/${String(json['batchId'])}`)).json).toMatchObject({
    status: 'ended',
  })
})
