import { PlainSession } from '../../actors/plain-session.ts'
import { endlessFilm } from '../../actors/media/told-of-work.ts'
import { runsLocally } from '../../platform/common-settings.ts'
import { peerHeader } from '../../platform/deployment.ts'
import type { Plainly } from './plain-parts.ts'

/** In the simulated world. */
const mostStreams = 12
const secondMs = 1_000
const minuteMs = 60_000
/** Where nothing is to do, the sweep comes every two hours. */
const sweptWithinMs = 150 * minuteMs
const guesser = { 'CF-Connecting-IP': '203.0.113.7' }
const neighbour = { 'CF-Connecting-IP': '203.0.113.8' }
/** Their provider gives both of them the same network. */
const inNetwork = { 'CF-Connecting-IP': '2001:db8:1:2::7' }
const besideInNetwork = { 'CF-Connecting-IP': '2001:db8:1:2:ffff::8' }
const inOtherNetwork = { 'CF-Connecting-IP': '2001:db8:1:3::7' }
/** What a rollout ends on its way has come by then. */
const rolledOutMs = 5_000

/** An account may follow its videos with a number of streams at a time. A place is free again when its stream ends. */
export async function judgeStreams({ own, account, exchange }: Plainly): Promise<void> {
  const send = async (): Promise<string> => {
    const body = {
      fileUrl: `https://sources.example.com/${endlessFilm}-followed.mp4`,
      reuse: false,
    }
    return String((await own.expect(202, ['POST', '/v1/videos', body]))['videoId'])
  }
  const follow = async (id: string): Promise<Response | undefined> => {
    const who = `${account.name} in a crowd`
    return exchange.open({ who, method: 'GET', path: `/v1/videos/${id}/events`, key: account.key })
  }
  const first = await send()
  const open: (Response | undefined)[] = []
  for (let i = 0; i < mostStreams; i++) open.push(await follow(first))
  own.same('how many follow', open.filter((one) => one?.status === 200).length, mostStreams)
  own.same('one who follows beside them', (await follow(first))?.status, 429)
  await open[0]?.body?.cancel()
  await own.pause(secondMs)
  open[0] = await follow(first)
  own.same('one who follows in place of another', open[0]?.status, 200)
  await own.ask(['POST', `/v1/videos/${first}/cancel`, {}])
  await own.pause(secondMs)
  const ends = await Promise.all(open.map(async (one) => one?.text()))
  own.same(
    'whether all have heard the end',
    ends.every((text) => text?.includes('event: end')),
    true,
  )
}

/** Somebody who guesses keys is refused for a minute. Neither a neighbour nor a good key suffers from it. */
export async function judgeGuesses(parts: Plainly): Promise<void> {
  const { own, deployment, account, world, exchange } = parts
  // On one machine, nobody tells the service who asks.
  if (runsLocally(world)) return
  const wrong = new PlainSession({ world, exchange }, { ...account, key: `${account.key}x` })
  const guess = async (from: Record<string, string>) =>
    (await wrong.ask(['GET', '/v1/videos'], from))?.status
  own.same('a key that is not good', await guess(guesser), 401)
  deployment.refusesGuesses = (address) => address === guesser['CF-Connecting-IP']
  own.same('one guess too many', await guess(guesser), 429)
  own.same('the guess of a neighbour', await guess(neighbour), 401)
  own.same('a good key', (await own.ask(['GET', '/v1/videos'], guesser))?.status, 200)
  own.same('a key that is not good, from a network', await guess(inNetwork), 401)
  deployment.refusesGuesses = (address) => address === '2001:db8:1:2::/64'
  own.same('a guess too many from a network', await guess(inNetwork), 429)
  own.same('a guess from the same network', await guess(besideInNetwork), 429)
  own.same('a guess from another network', await guess(inOtherNetwork), 401)
  deployment.refusesGuesses = () => false
  await own.pause(minuteMs + secondMs)
  own.same('a guess of a minute later', await guess(guesser), 401)
  own.same('a guess of a minute later from a network', await guess(besideInNetwork), 401)
}

/** Behind proxies, the address that the nearest trusted one tells counts, whatever the client itself has sent. */
export async function judgeProxies({ own, deployment, account, world, exchange }: Plainly) {
  deployment.reconfigure({ CLIENT_ADDRESS: 'socket', TRUSTED_PROXIES: '10.0.0.0/8' })
  await own.pause(rolledOutMs)
  const wrong = new PlainSession({ world, exchange }, { ...account, key: `${account.key}x` })
  const guess = async (peer: string, told?: string) => {
    const headers = { [peerHeader]: peer, ...(told && { 'X-Forwarded-For': told }) }
    return (await wrong.ask(['GET', '/v1/videos'], headers))?.status
  }
  const [proxy, other, refused, free] = ['10.0.0.1', '10.9.0.2', '203.0.113.9', '203.0.113.10']
  deployment.refusesGuesses = (address) => address === refused
  own.same('a guess through a proxy', await guess(proxy, refused), 429)
  own.same('a guess through two proxies', await guess(proxy, `${refused}, ${other}`), 429)
  own.same('a guess in the name of another', await guess(proxy, `${free}, ${refused}`), 429)
  own.same('a guess without a proxy', await guess(refused, free), 429)
  own.same('a guess of another one', await guess(proxy, `${refused}, ${free}`), 401)
  own.same('a guess of another one without a proxy', await guess(free, refused), 401)
  deployment.refusesGuesses = () => false
  deployment.reconfigure({ CLIENT_ADDRESS: '', TRUSTED_PROXIES: '' })
  await own.pause(rolledOutMs)
}

/** Customers do not notice that the queues take nothing for a moment: the sweep sends what is left. */
export async function judgeFullQueues(parts: Plainly): Promise<void> {
  const { own, deployment, database, account, receivers, isSweepless } = parts
  if (isSweepless) return
  const webhookUrl = `https://hooks-of-${account.storage}.example.com/full`
  const wish = (n: number) => ({
    ...{ fileUrl: `https://sources.example.com/unsent-${n}.mp4`, reuse: false, webhookUrl },
  })
  deployment.refusesMessages = true
  const made = await own.expect(202, ['POST', '/v1/videos', wish(0)])
  const items = [1, 2, 3, 4, 5].map(wish)
  const batch = await own.expect(202, ['POST', '/v1/batches', { items }])
  const canceled = await own.expect(202, ['POST', '/v1/videos', wish(6)])
  await own.expect(200, ['POST', `/v1/videos/${String(canceled['videoId'])}/cancel`, {}])
  deployment.refusesMessages = false
  await own.pause(sweptWithinMs)
  const ids = [made['videoId'], ...(batch['videoIds'] as unknown[])]
  const left = database
    .read('SELECT video_id AS id FROM jobs WHERE started_at IS NULL AND finished_at IS NULL')
    .filter(({ id }) => ids.includes(id))
  own.same('what no queue has taken, and nobody has begun', left, [])
  const heard = receivers.received.some(
    ({ url, body }) => url === webhookUrl && body.includes(String(canceled['videoId'])),
  )
  own.same('whether an end is told that no queue has taken', heard, true)
}
