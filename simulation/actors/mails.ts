import { PlainAnswer } from '../engine/plain-response.ts'
import type { Host } from '../platform/network.ts'

export type Mail = { to: string; subject: string; text: string }

/** The HTTP mail API that the service sends its mails with. */
export class Mails {
  readonly sent: Mail[] = []

  readonly answer: Host = async ({ text }) => {
    const { to, ...mail } = JSON.parse(text) as Omit<Mail, 'to'> & { to: string[] }
    for (const one of to) this.sent.push({ ...mail, to: one })
    return PlainAnswer.json({})
  }

  /** What somebody was sent. */
  to(address: string): Mail[] {
    return this.sent.filter(({ to }) => to === address)
  }
}
