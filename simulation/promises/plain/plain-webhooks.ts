import type { PlainSession } from '../../actors/plain-session.ts'
import { Life } from '../../engine/life.ts'
import { lostUrl, patienceSeconds, plainHost } from '../../actors/receivers.ts'
import type { World } from '../../engine/world.ts'
import type { Plainly } from './plain-parts.ts'

type Shown = {
  url: string
  status: string
  deliveryId: string
  attempts: { at: string; statusCode: number | null; redelivery: boolean; response: string }[]
}

const path = '/v1/webhooks/endpoints'
/** As documented: the seconds between each attempt and the one before it. */
const schedule = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
/** The whole schedule, with the spread of its attempts. */
const scheduleMs = 31 * 3_600_000
const spread = 1.1
/** How long an attempt may take, with the work before it. */
const slackMs = 20_000
const mostEndpoints = 10
const loggedAttempts = 20
/** How many bytes of an answer the log of a delivery has. */
const mostOfAnswer = 1_024
const againMs = 5_000
/** More deliveries than one receiver gets at a time. */
const manyAtOnce = 8
const atOnce = 4
/** Two that begin together may come in either order. */
const togetherMs = 1_000
const minuteMs = 60_000
/** The fifth attempt is over by then, and the sixth comes hours later. */
const fifthMs = 200 * minuteMs
const triedBefore = 5
/** Where nothing is to do, the sweep comes every two hours. */
const sweptWithinMs = 130 * minuteMs
/** Longer than the schedule and the week after it. */
const lostForMs = 12 * 86_400_000

/** Receivers that are down, full, gone, moved or removed are tried as often and as long as documented. */
export async function judgeWebhooks(parts: Plainly): Promise<void> {
  const { own, receivers, world, account } = parts
  receivers.secrets.note(plainHost, await secretOf(own))
  const names = ['fine', 'talks', 'down', 'gone', 'later', 'never', 'moves', 'removed'] as const
  const ids = new Map<string, string>()
  for (const name of names) {
    const made = await own.expect(201, ['POST', path, wishFor(name)])
    ids.set(name, `${path}/${String(made['endpointId'])}`)
  }
  const videoId = await own.sendAndCancel()
  await own.pause(minuteMs)
  await own.expect(200, ['PATCH', ids.get('moves') ?? '', { url: urlOf('moved') }])
  await own.expect(204, ['DELETE', ids.get('removed') ?? ''])
  const removedAt = world.now
  await offerAgain(parts, videoId)
  await judgeTests(parts)
  await judgeSlow(parts)
  await judgeSecrets(parts)
  await judgeNumber(own)
  await own.pause(scheduleMs)
  const heard = (name: string) =>
    receivers.received.filter(({ url, body }) => url === urlOf(name) && body.includes(videoId))
  const log = await own.list(`/v1/webhooks/deliveries?videoId=${videoId}`)
  const shown = (name: string) => (log as Shown[]).find(({ url }) => url === urlOf(name))
  const outcome = (name: string) => [shown(name)?.status, shown(name)?.attempts.length]
  own.same('a delivery that was received', outcome('fine'), ['succeeded', 1])
  own.same('a delivery to a receiver that says much', outcome('talks'), ['succeeded', 1])
  const { response = '' } = shown('talks')?.attempts[0] ?? {}
  own.same('how much is kept of its answer', response.length, mostOfAnswer)
  own.same('a delivery to a receiver that is gone', outcome('gone'), ['stopped', 1])
  own.same('a delivery to a receiver that is down', outcome('down'), ['exhausted', schedule.length])
  own.same('a delivery that was asked for later', outcome('later'), ['succeeded', 2])
  // A receiver cannot put a delivery off for longer than the schedule does.
  own.same('a delivery that was asked for in a year', outcome('never'), ['succeeded', 2])
  own.same('a delivery to an endpoint that has moved', shown('moved')?.status, 'succeeded')
  own.same('a delivery to an endpoint that was removed', shown('removed')?.status, 'stopped')
  own.same(
    'what came to the address of before',
    heard('moves').filter(({ at }) => at > removedAt),
    [],
  )
  const late = heard('removed').filter(({ at }) => at > removedAt + slackMs)
  own.same('what came to a removed endpoint', late, [])
  const timesOf = (name: string) => heard(name).map(({ at }) => at)
  judgeTimes(world, account.name, timesOf('down'))
  judgePatience(world, account.name, timesOf('later'))
  own.same(
    'a retry in the log',
    shown('down')?.attempts.some(({ redelivery }) => redelivery),
    false,
  )
  await judgeAgain(parts, { endpoint: ids.get('fine') ?? '', delivery: shown('fine'), videoId })
  await own.sendAndCancel()
  await own.pause(minuteMs)
  for (const id of [...ids].filter(([name]) => name !== 'removed').map(([, one]) => one)) {
    await own.expect(204, ['DELETE', id])
  }
}

type Endpoints = { getByName: (name: string) => Endpoint }
type Endpoint = { offer: (deliveryId: string, dueAt: number) => Promise<unknown> }

/** A message that was read before the last attempt comes late: by what it knows, the delivery is due. */
async function offerAgain(parts: Plainly, videoId: string): Promise<void> {
  const { account, database, deployment, own, world } = parts
  const [row] = database.read(
    `SELECT d.id, d.round_at AS at FROM webhook_deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id
     WHERE d.url = ? AND e.video_id = ? AND d.finished_at IS NULL`,
    ...[urlOf('down'), videoId],
  )
  own.same('whether a receiver that is down is tried again', row !== undefined, true)
  const endpoints = deployment.objects.WEBHOOK_ENDPOINT.binding as Endpoints
  const name = `${account.accountId} https://${plainHost}`
  await world.run(new Life('a message that comes late'), 'offers a webhook again', async () =>
    endpoints.getByName(name).offer(String(row?.['id']), Number(row?.['at'])),
  )
}

/** A webhook is given up if its attempts were lost, and its schedule has been over for a week. */
export async function judgeLostAttempts(parts: Plainly): Promise<void> {
  const { own, database, isSweepless } = parts
  if (isSweepless) return
  const wish = { url: lostUrl, eventTypes: ['video.canceled'] }
  const { endpointId } = await own.expect(201, ['POST', path, wish])
  const videoId = await own.sendAndCancel()
  await own.pause(fifthMs)
  // As if all this had been longer ago.
  database.read(
    `UPDATE webhook_deliveries SET round_at = round_at - ${lostForMs}, created_at = created_at - ${lostForMs}, sweep_after = 0
     WHERE url = ? AND event_id IN (SELECT id FROM webhook_events WHERE video_id = ?)`,
    ...[lostUrl, videoId],
  )
  await own.pause(sweptWithinMs)
  const log = (await own.list(`/v1/webhooks/deliveries?videoId=${videoId}`)) as Shown[]
  const { status, attempts = [] } = log.find(({ url }) => url === lostUrl) ?? {}
  const told = [status, attempts.length]
  own.same('a delivery whose attempts were lost', told, ['exhausted', triedBefore])
  await own.expect(204, ['DELETE', `${path}/${String(endpointId)}`])
}

/** A redelivered webhook goes to the present address of its endpoint, and its log keeps the last attempts in order. */
async function judgeAgain(
  { own, receivers, files }: Plainly,
  {
    endpoint,
    delivery,
    videoId,
  }: { endpoint: string; delivery: Shown | undefined; videoId: string },
): Promise<void> {
  const { deliveryId = '', attempts: before = [] } = delivery ?? {}
  await own.expect(200, ['PATCH', endpoint, { url: urlOf('elsewhere') }])
  files.redelivering(deliveryId)
  for (let n = 0; n < loggedAttempts; n++) {
    await own.expect(202, ['POST', `/v1/webhooks/deliveries/${deliveryId}/redeliver`, {}])
    await own.pause(againMs)
  }
  const log = (await own.list(`/v1/webhooks/deliveries?videoId=${videoId}`)) as Shown[]
  const { attempts = [] } = log.find((one) => one.deliveryId === deliveryId) ?? {}
  own.same('how many attempts are logged', attempts.length, loggedAttempts)
  own.same(
    'whether all are redeliveries',
    attempts.map(({ redelivery }) => redelivery).includes(false),
    false,
  )
  const times = attempts.map(({ at }) => at)
  own.same('the attempts in their order', times, times.toSorted())
  own.same('the attempt before them', times.includes(before[0]?.at ?? ''), false)
  const late = receivers.received.filter(({ url }) => url === urlOf('elsewhere'))
  own.same('how often it came to the new address', late.length, loggedAttempts)
}

/** A receiver that asks for patience gets it. */
function judgePatience(
  world: World,
  name: string,
  [first = 0, second = 0]: readonly number[],
): void {
  if (second - first >= patienceSeconds * 1_000) return
  world.break(`${name}: a receiver asked for ${patienceSeconds} s, and was not given them`)
}

/** Attempts come when they are due, and none is left out. */
function judgeTimes(world: World, name: string, times: readonly number[]): void {
  for (const [i, seconds] of schedule.entries()) {
    if (i === 0) continue
    const waitedMs = (times[i] ?? Infinity) - (times[i - 1] ?? 0)
    const isTimely = waitedMs >= seconds * 1_000 && waitedMs < seconds * 1_000 * spread + slackMs
    if (!isTimely) world.break(`${name}: attempt ${i + 1} of a webhook came after ${waitedMs} ms`)
  }
}

/** A test is sent once, and everyone who asks for it gets its outcome. */
async function judgeTests({ own, receivers, world }: Plainly): Promise<void> {
  for (const [name, status] of [
    ['tested', 'succeeded'],
    ['down', 'exhausted'],
  ] as const) {
    const url = urlOf(name)
    const before = receivers.received.length
    const told = await own.expect(200, ['POST', '/v1/webhooks/test', { webhookUrl: url }])
    own.same('the test of a webhook', told['status'], status)
    own.same('its attempts', (told as Shown).attempts.length, 1)
    await own.pause(minuteMs)
    const sent = receivers.received.slice(before).filter((one) => one.url === url)
    own.same(
      'how often it was sent',
      sent.filter(({ body }) => body.includes('webhook.test')).length,
      1,
    )
  }
  const before = world.now
  const { status } = await own.expect(200, [
    'POST',
    '/v1/webhooks/test',
    { webhookUrl: urlOf('silent') },
  ])
  const seconds = Math.round((world.now - before) / 1_000)
  own.same('what a receiver that does not answer is told to be', status, 'exhausted')
  own.same(`whether ${seconds} s is as long as it has`, seconds >= 15 && seconds <= 17, true)
}

/** A slow receiver has few attempts under way at a time, which it counts itself, and gets all events. */
async function judgeSlow({ own, receivers }: Plainly): Promise<void> {
  const made = await own.expect(201, ['POST', path, wishFor('slow')])
  const videos: string[] = []
  for (let i = 0; i < manyAtOnce; i++) videos.push(await own.sendAndCancel())
  await own.pause(minuteMs)
  const heard = receivers.received.filter(
    ({ url, body }) => url === urlOf('slow') && videos.some((id) => body.includes(id)),
  )
  own.same('how much a slow receiver has heard', heard.length, manyAtOnce)
  const ofVideo = ({ body }: { body: string }) => videos.findIndex((id) => body.includes(id))
  const waited = heard.slice(atOnce).map((one) => ({ n: ofVideo(one), at: one.at }))
  const early = waited.filter((one) =>
    waited.some(({ n, at }) => n < one.n && at > one.at + togetherMs),
  )
  own.same('which were sent before older ones that had to wait', early, [])
  await own.expect(204, ['DELETE', `${path}/${String(made['endpointId'])}`])
}

/** For a day after a rotation, webhooks are signed with both secrets; receivers check that with the secrets they know. */
async function judgeSecrets({ own, other, receivers, account }: Plainly): Promise<void> {
  const secret = await secretOf(own)
  const theirs = await secretOf(other)
  const rotated = await own.expect(200, ['POST', '/v1/webhooks/secret/rotate', {}])
  own.same('the secret of before', rotated['previousSecret'], secret)
  for (const host of [plainHost, `hooks-of-${account.storage}.example.com`])
    receivers.secrets.note(host, String(rotated['secret']))
  own.same('a secret that is read again', await secretOf(own), rotated['secret'])
  own.same('the secret of another account', await secretOf(other), theirs)
  await own.pause(2 * minuteMs)
  await own.sendAndCancel()
}

/** An account has a limited number of endpoints. */
async function judgeNumber(own: PlainSession): Promise<void> {
  const mine = await own.list(path)
  const made: string[] = []
  for (let i = mine.length; i < mostEndpoints; i++) {
    const wish = { ...wishFor(`more-${i}`), eventTypes: ['batch.ended'] }
    made.push(String((await own.expect(201, ['POST', path, wish]))['endpointId']))
  }
  await own.expect(409, ['POST', path, wishFor('too-many')])
  const [first = '', second] = made
  if (second !== undefined)
    await own.expect(409, ['PATCH', `${path}/${first}`, { url: urlOf(`more-${mine.length + 1}`) }])
  for (const id of made) await own.expect(204, ['DELETE', `${path}/${id}`])
}

async function secretOf(own: PlainSession): Promise<string> {
  return String((await own.expect(200, ['GET', '/v1/webhooks/secret']))['secret'])
}

function urlOf(name: string): string {
  return `https://${plainHost}/${name}`
}

function wishFor(name: string) {
  return { url: urlOf(name), eventTypes: ['video.canceled'] }
}
