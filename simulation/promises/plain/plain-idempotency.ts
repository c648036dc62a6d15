import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

const fileUrl = 'https://sources.example.com/plain.mp4'
const videos = ['POST', '/v1/videos'] as const

/**
 * An Idempotency-Key stands for one request of one API key to one address, if that was accepted, for a day. Returns what is
 * looked at when the day is over.
 */
export async function judgeIdempotency(parts: Plainly): Promise<() => Promise<void>> {
  const { own, other, operator, account } = parts
  const { accountId } = account
  const scopes = ['videos:read', 'videos:write']
  const issued = await operator.command({ command: 'keys.create', accountId, scopes })
  const second = own.with(String(issued['apiKey']))
  await own.expect(400, [...videos, { fileUrl: 'no address' }, 'once'])
  const body = { fileUrl, videoName: 'once' }
  const made = await own.expect(202, [...videos, body, 'once'])
  own.same('an answer once more', await own.expect(202, [...videos, body, 'once']), made)
  await own.expect(409, [...videos, { ...body, videoName: 'twice' }, 'once'])
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
  return async () => {
    const later = await own.expect(202, [...videos, body, 'once'])
    own.same(
      'whether a key is kept for more than a day',
      later['videoId'] === made['videoId'],
      false,
    )
    await cancelAll(own, [later['videoId']])
  }
}

/** Some may have ended meanwhile. */
async function cancelAll(own: PlainSession, ids: readonly unknown[]): Promise<void> {
  for (const id of ids) await own.ask(['POST', `/v1/videos/${String(id)}/cancel`, {}])
}
