import { createHash } from 'node:crypto'
import { PlainAnswer } from '../engine/plain-response.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { Host } from '../platform/network.ts'
import { WebhookSecrets } from './webhook-secrets.ts'

/** `status`: that of the answer, if there was one. */
export type Received = {
  id: string
  url: string
  body: string
  at: number
  status: number | undefined
}

/** The host that is gone for ever, in most worlds. */
const gone = ['hooks-of-cleo.example.com', 'hooks-of-dan.example.com', undefined]

/** A host whose addresses always answer in one way, apart from one that first asks for patience. */
export const plainHost = 'hooks-of-plain.example.com'
/** An address that fails, and of which the service loses all further attempts. */
export const lostUrl = `https://${plainHost}/lost`
export const patienceSeconds = 7_200
const patience: Record<string, number> = { '/later': patienceSeconds, '/never': 365 * 86_400 }
/** A path whose answers are far longer than what is kept of them. */
const talkingPath = '/talks'
const longAnswer = 'heard, and understood. '.repeat(10_000)
/** A path whose answers take a while. */
/** One that never answers. */
const silentPath = '/silent'
const slowPath = '/slow'
const slowMs = 5_000

const plainAnswers: Record<string, number> = {
  '/gone': 410,
  '/down': 500,
  '/lost': 500,
  '/moves': 500,
  '/removed': 500,
}

/** Shorter than the service waits for an answer. */
const longestMs = 12_000
/** As documented: how many attempts to one host of an account are under way at a time. */
const mostAtOnce = 4
/** A little shorter than the service waits for an answer that does not come. */
const hangingMs = 14_000

/** Longer than a slow request to a receiver that hangs. */
const overtakenMs = 60_000
const undisturbedMs = 25 * 60_000
/** Longer than an attempt whose delivery was read before its end. */
const endedMs = 180_000
/** For so long after a step of the clocks, times that were noted before it may be wrong by more than anything waits. */
const steppedMs = 3_600_000

function isTaken(status: number): boolean {
  return status >= 200 && status < 300
}

/** The servers to which customers have webhooks sent. */
export class Receivers {
  readonly received: Received[] = []
  readonly #world: World
  readonly #database: Pick<Database, 'read'>
  readonly #bodies = new Map<string, string>()
  /** Whether the body of an event may have changed, as it does when its video is deleted. */
  readonly #mayDiffer: (id: string) => boolean

  /** Attempts that have not been answered, by host. */
  readonly #open = new Map<string, number>()
  readonly secrets: WebhookSecrets
  /** When each event was last accepted, by event and address. */
  readonly #taken = new Map<string, number>()
  /** In some worlds, this host never accepts anything. */
  readonly #gone: string | undefined

  constructor(world: World, database: Pick<Database, 'read'>, mayDiffer: (id: string) => boolean) {
    this.#world = world
    this.#database = database
    this.secrets = new WebhookSecrets(world)
    this.#gone = gone[Math.floor(world.draw('a receiver is gone') * gone.length)]
    this.#mayDiffer = mayDiffer
  }

  readonly answer: Host = async ({ url, headers: sent, text: body }) => {
    const { faults } = this.#world
    const id = sent.get('webhook-id') ?? ''
    this.#compare(id, body)
    this.#judgeEnd(id, url)
    const { host, pathname } = new URL(url)
    const forged = this.secrets.fault(host, { headers: sent, text: body })
    if (forged !== undefined) this.#world.break(`the event ${id} came to ${host}, and ${forged}`)
    if (host === plainHost) return this.#answerPlainly({ id, url, body }, pathname)
    const key = `${host} ${Math.floor(this.#world.now / 3_600_000)}`
    const event = `${id} ${this.received.length}`
    const hangs = faults.strikes('receiver hangs', `${key} ${event}`)
    const status = hangs ? undefined : this.#statusOf(host, key, event)
    const received: Received = { id, url, body, at: this.#world.now, status }
    this.received.push(received)
    const isOver = this.#begins(host)
    if (status === undefined) {
      this.#world.loop.in(hangingMs, isOver)
      return 'never'
    }
    // Some receivers do their work before they answer.
    await this.#world.loop.pause(longestMs * this.#world.draw(`${host} takes ${event}`) ** 8)
    isOver()
    if (isTaken(status)) this.#take(`${id} ${url}`, host)
    this.#world.history.note(host, `answers ${status} to ${id}`)
    const headers = status === 302 ? { Location: 'https://elsewhere.example.com/' } : {}
    return new PlainAnswer(status === 204 ? null : 'heard', { status, headers })
  }

  /** A delivery that has ended must not be sent, even if its endpoint was switched off while it waited for the next attempt. */
  #judgeEnd(id: string, url: string): void {
    const { lateMs, loop } = this.#world
    const sql = 'SELECT finished_at AS at FROM webhook_deliveries WHERE event_id = ? AND url = ?'
    const rows = this.#database.read<{ at: number | null }>(sql, id, url)
    const before = loop.wall - endedMs - lateMs
    const hasEnded = rows.length > 0 && rows.every(({ at }) => at !== null && at < before)
    if (hasEnded && this.#isTimed)
      this.#world.break(`the event ${id} is sent to ${url}, which has ended long ago`)
  }

  /** Without a fault, an accepted event does not come again, unless it is asked for. */
  #take(what: string, host: string): void {
    const { faults, now, rolledOutAt } = this.#world
    const before = this.#taken.get(what) ?? 0
    this.#taken.set(what, now)
    const [id = ''] = what.split(' ')
    if (faults.lastHarmAt > before - undisturbedMs || this.#mayDiffer(id)) return
    // The operator may have set something else, and who sent it did not hear that it was taken.
    if (rolledOutAt > before - longestMs) return
    this.#world.break(`${host} has taken the event ${id}, and it is sent once more`)
  }

  get #isTimed(): boolean {
    const { faults, now } = this.#world
    return faults.lastOf('clock steps') < now - steppedMs
  }

  /** Returns a function to call when an attempt has been answered. */
  #begins(host: string): () => void {
    const count = (this.#open.get(host) ?? 0) + 1
    this.#open.set(host, count)
    const { faults, now } = this.#world
    // What arrives late may meet the next attempt, because the service has given it up by then.
    const isSure = this.#isTimed && faults.lastOf('request slow') < now - overtakenMs
    if (count > mostAtOnce && isSure)
      this.#world.break(`${host} is sent more than ${mostAtOnce} webhooks at once`)
    return () => void this.#open.set(host, (this.#open.get(host) ?? 0) - 1)
  }

  async #answerPlainly(
    sent: Pick<Received, 'id' | 'url' | 'body'>,
    pathname: string,
  ): Promise<Response | 'never'> {
    if (pathname === silentPath) return 'never'
    if (pathname === slowPath) {
      const isOver = this.#begins(plainHost)
      await this.#world.loop.pause(slowMs)
      isOver()
    }
    const isFirst = !this.received.some(({ id, url }) => id === sent.id && url === sent.url)
    const seconds = isFirst ? patience[pathname] : undefined
    const status = seconds === undefined ? (plainAnswers[pathname] ?? 200) : 503
    this.received.push({ ...sent, at: this.#world.now, status })
    const headers = seconds === undefined ? {} : { 'Retry-After': `${seconds}` }
    return new PlainAnswer(pathname === talkingPath ? longAnswer : 'heard', { status, headers })
  }

  #statusOf(host: string, hour: string, event: string): number {
    const { faults } = this.#world
    if (host === this.#gone) return 503
    // A server that is down fails for the whole hour.
    if (faults.strikes('receiver fails', hour)) return 500
    if (faults.strikes('receiver redirects', `${hour} ${event}`)) return 302
    // Some answers are empty.
    return this.#world.draw(`thanks for ${event}`) < 0.25 ? 204 : 200
  }

  #compare(id: string, body: string): void {
    const hash = createHash('sha256').update(body).digest('hex')
    const known = this.#bodies.get(id)
    this.#bodies.set(id, hash)
    if (known !== undefined && known !== hash && !this.#mayDiffer(id)) {
      this.#world.break(`the event ${id} was sent with two bodies`)
    }
  }
}
