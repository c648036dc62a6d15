import { PlainAnswer } from '../engine/plain-response.ts'
import type { World } from '../engine/world.ts'
import type { Host } from '../platform/network.ts'

type Mail = { to: string; subject: string; text: string }

/** The HTTP mail API that the service sends its mails with. */
export class Mails {
  readonly sent: Mail[] = []
  readonly #world: World
  #asked = 0

  constructor(world: World) {
    this.#world = world
  }

  readonly answer: Host = async ({ text }) => {
    const { to, ...mail } = JSON.parse(text) as Omit<Mail, 'to'> & { to: string[] }
    const key = `mail ${++this.#asked}`
    const { faults } = this.#world
    if (faults.strikes('receiver fails', key)) return PlainAnswer.json({}, { status: 500 })
    for (const one of to) this.sent.push({ ...mail, to: one })
    return faults.strikes('receiver hangs', key) ? 'never' : PlainAnswer.json({})
  }

  /** The mails that an address was sent. */
  to(address: string): Mail[] {
    return this.sent.filter(({ to }) => to === address)
  }
}
