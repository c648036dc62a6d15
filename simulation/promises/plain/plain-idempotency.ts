import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
const videos = ['POST', '/v1/videos'] as const
const dayMs = 86_400_000

/** An Idempotency-Key stands for one accepted request of one API key to one address, until it expires. */
export async function judgeIdempotency(parts: Plainly): Promise<void> {
  const { own, other, operator, account, database, world } = parts
  const { accountId } = account
  const scopes = ['videos:read', 'videos:write']
  const issued = await operator.command({ command: 'keys.create', accountId, scopes })
  const second = own.with(String(issued['apiKey']))
  await own.expect(400, [...videos, { fileUrl: 'no address' }, 'once'])
  const body = { fileUrl, videoName: 'once' }
  const made = await own.expect(202, [...videos, body, 'once'])
  own.same('an answer once more', await own.expect(202, [...videos, body, 'once']), made)
  await own.expect(409, [...videos, { ...body, videoName: 'twice' }, 'once'])
  await judgeSame(own)
  const several = ['POST', '/v1/batches', { items: [body] }, 'once'] as const
  const batch = await own.expect(202, several)
  own.same('a batch once more', await own.expect(202, several), batch)
  const ids = [made['videoId'], ...(batch['videoIds'] as string[])]
  for (const one of [second, other]) {
    const answer = await one.expect(202, [...videos, body, 'once'])
    ids.push(String(answer['videoId']))
    const repeated = await one.expect(202, [...videos, body, 'once'])
    one.same('an answer to one of two keys, once more', repeated, answer)
  }
  own.same('the videos of one name for keys', new Set(ids).size, ids.length)
  await cancelAll(own, [...ids.slice(0, 3)])
  await cancelAll(other, [ids[3]])
  own.same('an answer after the end', await own.expect(202, [...videos, body, 'once']), made)
  // A request with a preset is compared as it was sent.
  const preset = { ...body, preset: 'usual', values: { title: 'once' } }
  const filled = async () => own.expect(202, [...videos, preset, 'once-filled'])
  const { videoId } = await filled()
  own.same('an answer with a preset once more', (await filled())['videoId'], videoId)
  // As if a day had passed without a sweep.
  const sql = `UPDATE idempotency_keys SET expires_at = ?1, created_at = ?1 - ${dayMs} WHERE idempotency_key LIKE 'once%'`
  database.read(sql, world.loop.wall)
  const later = await own.expect(202, [...videos, body, 'once'])
  own.same('whether a key that has expired is kept', later['videoId'] === made['videoId'], false)
  const again = (await filled())['videoId']
  own.same('whether one of a preset is kept', again === videoId, false)
  await cancelAll(own, [later['videoId'], videoId, again])
  const laterBatch = await own.expect(202, several)
  const isKept = laterBatch['batchId'] === batch['batchId']
  own.same('whether the key of a batch that has expired is kept', isKept, false)
  await cancelAll(own, laterBatch['videoIds'] as string[])
}

/** The same request in other words is the same, and one that differs deep within a list is not. */
async function judgeSame(own: PlainSession): Promise<void> {
  const of = (second: string) => ({
    files: [{ url: fileUrl }, { url: `https://sources.example.com/${second}.mp4` }],
    combine: true,
    metadata: { one: '1', two: '2' },
  })
  const made = await own.expect(202, [...videos, of('second'), 'deep'])
  const { files, combine, metadata } = of('second')
  const { one, two } = metadata
  const reordered = { metadata: { two, one }, combine, files }
  const again = await own.expect(202, [...videos, reordered, 'deep'])
  own.same('an answer to the same request in another order', again, made)
  await own.expect(409, [...videos, of('third'), 'deep'])
  await cancelAll(own, [made['videoId']])
}

/** Cancels the videos, some of which may have ended meanwhile. */
async function cancelAll(own: PlainSession, ids: readonly unknown[]): Promise<void> {
  for (const id of ids) await own.ask(['POST', `/v1/videos/${String(id)}/cancel`, {}])
}
