import { beforeEach, expect } from 'vitest'
import { bindings } from '../bindings.ts'
import type { Answer, Client } from '../client.ts'
import type { MediaWorkers } from '../media-workers.ts'
import { S3StandIn } from './s3-stand-in.ts'

export const s3Endpoint = 'https://s3.example.com'

/** A bucket of the customer at `s3Endpoint`. Register it after the media workers, because it extends their fetch. */
export function standInS3(media: { current: MediaWorkers }): { current: S3StandIn } {
  const s3 = { current: new S3StandIn() }
  beforeEach(() => {
    s3.current = new S3StandIn()
    media.current.answerElsewhere = async (request) => {
      if (new URL(request.url).origin === s3Endpoint) return s3.current.take(request)
      throw new Error(`a request left the tests: ${request.url}`)
    }
  })
  return s3
}

/** What opens the bucket of the stand-in. */
export function storageOf({ bucket, identity }: S3StandIn): Record<string, unknown> {
  return { endpoint: s3Endpoint, bucket, ...identity }
}

export async function putStorage(client: Client, name: string, body: object): Promise<Answer> {
  return client.request('PUT', `/v1/storages/${name}`, body)
}

export async function aStorage(
  client: Client,
  s3: S3StandIn,
  name = 'out',
  more: object = {},
): Promise<void> {
  const answer = await putStorage(client, name, { ...storageOf(s3), ...more })
  if (answer.status >= 300) throw new Error(answer.text)
}

/** Where this text stands: every row of the database and every object of the bucket. */
export async function placesOf(text: string): Promise<string[]> {
  const { results: tables } = await bindings.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>()
  const places: string[] = []
  for (const { name } of tables) {
    const { results } = await bindings.DB.prepare(`SELECT * FROM "${name}"`).all()
    if (JSON.stringify(results).includes(text)) places.push(name)
  }
  const { objects } = await bindings.BUCKET.list()
  for (const { key } of objects) {
    const content = await (await bindings.BUCKET.get(key))?.text()
    if (content?.includes(text)) places.push(key)
  }
  return places
}

/** Matches a text that has this in it. */
export function saying(part: string): string {
  return expect.stringContaining(part) as string
}
