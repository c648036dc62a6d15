import { createHmac } from 'node:crypto'
import type { World } from '../engine/world.ts'

type Known = { secret: string; since: number }
/** The parts of a webhook that its signature covers. */
type Signed = { headers: Headers; text: string }

/** An attempt reads its secret a moment before it is sent. */
const readEarlierMs = 60_000
const overlapMs = 86_400_000
/** Attempts that began before a step of the clock carry the time before it. */
const stepMs = 30 * 60_000

/** The secrets that receivers know, with which they check that webhooks are signed as they were told. */
export class WebhookSecrets {
  readonly #world: World
  /** The secrets by host, the oldest first. */
  readonly #known = new Map<string, Known[]>()

  constructor(world: World) {
    this.#world = world
  }

  /** Notes that an account signs webhooks to this host with this secret from now on. */
  note(host: string, secret: string): void {
    const known = this.#known.get(host) ?? []
    known.push({ secret, since: this.#world.now })
    this.#known.set(host, known)
  }

  /** What is wrong with the signature of a webhook; undefined if nothing is. */
  fault(host: string, { headers, text }: Signed): string | undefined {
    const known = this.#known.get(host)
    if (!known) return undefined
    const timestamp = headers.get('webhook-timestamp') ?? ''
    const { loop, now, faults } = this.#world
    const hasStepped = faults.lastOf('clock steps') > now - stepMs
    if (!hasStepped && Math.abs(Number(timestamp) * 1000 - loop.wall) > readEarlierMs)
      return `it tells the time ${timestamp}`
    const given = (headers.get('webhook-signature') ?? '').split(' ')
    const signed = `${headers.get('webhook-id') ?? ''}.${timestamp}.${text}`
    const isSignedWith = ({ secret }: Known): boolean =>
      given.includes(`v1,${signatureOf(secret, signed)}`)
    const settled = known.filter(({ since }) => since <= now - readEarlierMs)
    const current = settled.at(-1) ?? known.at(0)
    if (current && !isSignedWith(current) && !known.slice(-1).some(isSignedWith))
      return 'its signature is not made with the secret of the account'
    const [next] = settled.slice(-1)
    const before = settled.at(-2)
    if (!next || !before) return undefined
    const age = now - next.since
    if (hasStepped || Math.abs(age - overlapMs) < readEarlierMs) return undefined
    if (isSignedWith(before) === age < overlapMs) return undefined
    return age < overlapMs
      ? 'it is not signed with the secret of before as well'
      : 'it is still signed with the secret of before'
  }
}

function signatureOf(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}
