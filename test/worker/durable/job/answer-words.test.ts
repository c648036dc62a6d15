import { expect, it } from 'vitest'
import { answerWords } from '../../../../worker/durable/job/answer-words.ts'
import { readSettings } from '../../../../worker/settings.ts'
import { partsAnswers } from '../../../../worker/contract/job/part-job.ts'
import { deleteVideo } from '../../../../worker/store/videos/videos.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import type { Client } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import { FilmLead } from '../../../support/worker/film.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { tick } from '../../../support/worker/tick.ts'
import { aRunningVideo, type Started } from '../../../support/worker/videos.ts'

standInForAll()
const [name, whole] = ['a'.repeat(64), 'b'.repeat(64)]
const words = { name, text: '{"language":"en","segments":[]}' }
const day = 86_400

type Hearing = Started & { lead: FilmLead }

/** A video whose media worker has told what it makes it with. */
async function aHearing(client: Client, engine = 'one'): Promise<Hearing> {
  const started = await aRunningVideo(client, { reuse: false })
  const files = [{ field: 'fileUrl', sha256: 'f'.repeat(64) }]
  await started.attempt.report({ type: 'fetched', engine, files })
  return { ...started, lead: new FilmLead(started.attempt.job) }
}

async function end({ attempt }: Hearing): Promise<void> {
  await attempt.finish()
}

async function recalled({ lead }: Hearing): Promise<unknown> {
  const { json } = await lead.ask({ ask: 'recall', names: [name, whole] })
  return partsAnswers.recall.parse(json).windows
}

/** What is there of the words of a video, in the bucket and in the database. */
async function left(videoId: string): Promise<number> {
  const { objects } = await bindings.BUCKET.list({ prefix: `traces/${videoId}/words/` })
  const { results } = await bindings.DB.prepare('SELECT 1 FROM kept_words WHERE video_id = ?')
    .bind(videoId)
    .all()
  return objects.length + results.length
}

it('tells a later video what was heard, in the same account and of the same engine alone', async () => {
  const client = await aClient()
  const first = await aHearing(client)
  expect(await recalled(first)).toEqual([])
  await first.lead.ask({ ask: 'remember', ...words })
  await end(first)
  expect(await recalled(await aHearing(client))).toEqual([words])
  expect(await recalled(await aHearing(client, 'another'))).toEqual([])
  expect(await recalled(await aHearing(await aClient()))).toEqual([])
  expect((await first.lead.ask({ ask: 'remember', ...words })).status).toBe(409)
})

it('does not tell words whose object was damaged', async () => {
  const client = await aClient()
  const first = await aHearing(client)
  await first.lead.ask({ ask: 'remember', ...words })
  await bindings.BUCKET.put(`traces/${first.videoId}/words/${name}.json`, '{"language":"de"}')
  expect(await recalled(await aHearing(client))).toEqual([])
})

it('deletes words with a video, and those that another one has used with the last', async () => {
  const client = await aClient()
  const first = await aHearing(client)
  await first.lead.ask({ ask: 'remember', ...words })
  await end(first)
  const second = await aHearing(client)
  await recalled(second)
  await end(second)
  await client.delete(`/v1/videos/${first.videoId}`)
  expect(await left(first.videoId)).toBe(0)
  const third = await aHearing(client)
  expect(await recalled(third)).toEqual([words])
  await end(third)
  for (const { videoId } of [second, third]) {
    await client.delete(`/v1/videos/${videoId}`)
    expect(await left(videoId)).toBe(0)
  }
  expect(await recalled(await aHearing(client))).toEqual([])
})

it('keeps words when another account asks for the deletion of their video, or when it still runs', async () => {
  const client = await aClient()
  const first = await aHearing(client)
  await first.lead.ask({ ask: 'remember', ...words })
  const own = { accountId: client.accountId, videoId: first.videoId, prefixes: [] }
  expect(await deleteVideo(bindings.DB, own, Date.now())).toBeUndefined()
  await end(first)
  expect(
    await deleteVideo(bindings.DB, { ...own, accountId: 'another' }, Date.now()),
  ).toBeUndefined()
  expect(await recalled(await aHearing(client))).toEqual([words])
})

it('removes words a day after they were last used', async () => {
  const client = await aClient()
  const first = await aHearing(client)
  await first.lead.ask({ ask: 'remember', ...words })
  await end(first)
  advanceSeconds(day / 2)
  const second = await aHearing(client)
  await recalled(second)
  await end(second)
  advanceSeconds(day / 2 + 1)
  await tick()
  expect([await left(first.videoId), await left(second.videoId)]).toEqual([0, 2])
  advanceSeconds(day / 2)
  await tick()
  expect(await left(second.videoId)).toBe(0)
})

it('says that it keeps nothing where nothing is kept, and that it does where something is', async () => {
  const client = await aClient()
  const { lead } = await aHearing(client)
  expect((await lead.ask({ ask: 'recall', names: [name] })).json).toMatchObject({ off: false })
  expect((await lead.ask({ ask: 'remember', ...words })).json).toEqual({ off: false })
  const withoutHours = { ...bindings, INTERMEDIATE_HOURS: '0' }
  const settings = readSettings(withoutHours)
  const running = { engine: 'one', film: { accountId: client.accountId } }
  const state = { videoId: 'v', running } as unknown as Parameters<typeof answerWords>[1]
  const answered = async (asked: Parameters<typeof answerWords>[2]) =>
    answerWords({ env: bindings, settings }, state, asked, () => undefined)
  const recall = await answered({ ask: 'recall', fence: 1, names: [name] })
  expect(recall).toEqual({ windows: [], off: true })
  expect(await answered({ ask: 'remember', fence: 1, ...words })).toEqual({ off: true })
})
