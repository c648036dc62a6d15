import { randomBytes } from 'node:crypto'
import type { WebhookFeedEvent, WebhookFeedPage } from '../../api-types.ts'
import { ApiError } from '../../errors.ts'
import { realTiming } from '../../http/timing.ts'
import type { Spool } from '../../spool.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { choiceFlag, textFlag } from '../arguments/flag.ts'
import { exitCodes } from '../session/exit-code.ts'
import { describeFailure } from '../session/failure.ts'
import type { Session } from '../session/session.ts'
import { padText } from '../terminal/text-width.ts'
import { forwardEvent, localAddress, type Forwarded } from '../transfer/forward-event.ts'
import { readSince } from '../transfer/read-since.ts'
import { statusPaint } from './describe-video.ts'

const types = ['video.succeeded', 'video.failed', 'video.canceled'] as const
const pollMs = 1000
const outagePauseMs = 3000
const largestPage = 100

export const listen: Command = {
  name: 'webhooks listen',
  summary: 'Pass the events of the account on to a program on this machine',
  about: [
    'Every video that ends is an event, whether or not it has a webhook address. Your program gets the request that a webhook would be, with the same body, and signed with the secret of the account, so that it can check it as it will in production. No public address is needed.',
    'An event is passed on once, whatever your program answers. With --since, past ones come again.',
  ],
  flags: [
    textFlag(
      'forward',
      'URL',
      'Where your program listens: 3000, localhost:3000/hooks or a whole address. Without it, events are only shown',
    ),
    choiceFlag('events', types, 'Only events of this type', { many: true }),
    textFlag(
      'since',
      'TIME',
      'Begin with past events: 30m, 2h, 1d, or a time such as 2026-11-22T10:00:00Z',
    ),
    textFlag('secret', 'whsec_…', 'Sign with this secret instead of that of the account', {
      pattern: '^whsec_[A-Za-z0-9+/]+=*$',
      example: 'whsec_AAECAwQFBgcICQoLDA0ODw==',
    }),
  ],
  examples: {
    'Pass all events on': 'spool webhooks listen --forward localhost:3000/hooks',
    'Only look': 'spool webhooks listen',
    'The failures of the last hour again':
      'spool webhooks listen --forward 3000 --since 1h --events video.failed',
  },
  run: listenToEvents,
}

async function listenToEvents(given: Typed, session: Session): Promise<void> {
  const { surroundings, screen } = session
  const forward = given.text('forward')
  const target = forward === undefined ? undefined : localAddress(forward)
  const since = given.text('since')
  const wanted = given.texts('events')
  const spool = await session.spool()
  // The first page tells whether the key may read at all, before anything is promised.
  const from = since === undefined ? undefined : readSince(since, surroundings.now())
  const first = await spool.webhooks.events({ since: from, limit: largestPage }, session)
  const secrets = target ? await readSecrets(given, spool, session) : []
  await sayBeginning(target, session)
  for await (const event of eventsFrom(first, spool, session)) {
    if (wanted.length > 0 && !wanted.includes(event.type)) continue
    const forwarded = target && (await forwardEvent(target, event, secrets, session.signal))
    if (session.common.json) screen.print(jsonLine(event, forwarded || undefined))
    else screen.printLine(plainLine(event, forwarded || undefined, session))
  }
}

async function sayBeginning(target: string | undefined, session: Session): Promise<void> {
  const { screen } = session
  const { baseUrl } = await session.access()
  screen.note(`Listening to the events of ${baseUrl}; Ctrl-C stops.`)
  if (target) screen.note(`Forwarding to ${target}`)
}

/** Passes on all events in order, without end. An outage of the service loses none. */
async function* eventsFrom(
  first: WebhookFeedPage,
  spool: Spool,
  session: Session,
): AsyncGenerator<WebhookFeedEvent, void, undefined> {
  const { signal, screen } = session
  let cursor = first.nextCursor
  let isOut = false
  yield* first.data
  for (let isIdle = first.data.length === 0; ;) {
    if (isIdle) await realTiming.pause(isOut ? outagePauseMs : pollMs, signal)
    try {
      const query = { cursor, limit: largestPage }
      const page = await spool.webhooks.events(query, { signal, maxRetries: 0 })
      if (isOut) screen.note('The service answers again.')
      isOut = false
      isIdle = page.data.length === 0
      cursor = page.nextCursor
      yield* page.data
    } catch (error) {
      const { exitCode, message } = describeFailure(error)
      const isPassing = exitCode === exitCodes.unreachable || exitCode === exitCodes.tooMany
      if (signal.aborted || !isPassing) throw error
      if (!isOut) screen.note(`${message} Trying again …`)
      isOut = true
      isIdle = true
    }
  }
}

async function readSecrets(given: Typed, spool: Spool, session: Session): Promise<string[]> {
  const { screen, signal } = session
  const own = given.text('secret')
  if (own !== undefined) return [own]
  try {
    const { secret, previousSecret } = await spool.webhooks.secret({ signal })
    screen.note('Signed with the secret of the account, which `spool webhooks secret` prints.')
    return previousSecret === null ? [secret] : [secret, previousSecret]
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 403)) throw error
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    screen.note('This key may not read the secret of the account. Signed with this one instead:')
    screen.note(`  ${secret}`)
    return [secret]
  }
}

function jsonLine(event: WebhookFeedEvent, forwarded: Forwarded | undefined): string {
  const { webhookId, type, videoId, timestamp, body } = event
  const facts = { webhookId, type, videoId, timestamp, event: JSON.parse(body) as unknown }
  return JSON.stringify(forwarded ? { ...facts, forwarded } : facts)
}

function plainLine(
  { timestamp, type, videoId }: WebhookFeedEvent,
  forwarded: Forwarded | undefined,
  { screen }: Session,
): string {
  const { dim, green, red } = screen.paint
  const time = new Date(timestamp).toTimeString().slice(0, 8)
  const [, status = ''] = type.split('.')
  const coloured = type.replace(status, statusPaint(screen.paint)(status))
  const line = `${dim(time)}  ${padText(coloured, 15)}  ${videoId}`
  if (!forwarded) return line
  const arrow = screen.isUnicode ? '→' : '->'
  const isGood = forwarded.status !== undefined && forwarded.status >= 200 && forwarded.status < 300
  const answer = String(forwarded.status ?? forwarded.error ?? '')
  return `${line}  ${arrow} ${(isGood ? green : red)(answer)}  ${dim(`${forwarded.durationMs} ms`)}`
}
