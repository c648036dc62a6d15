import type { Exported } from '../engine/program.ts'
import { serviceUrl, type Deployment } from '../platform/deployment.ts'
import { sentOf, type Sent } from '../platform/network.ts'
import type { MediaParts } from './media/media-work.ts'

type Command = { command: string } & Record<string, unknown>

/** Longer than a signature is good. */
const lateMs = 3_600_000

/** Makes accounts and keys with signed commands, before anything goes wrong. */
export class Operator {
  readonly #deployment: Deployment
  readonly #parts: MediaParts
  readonly #secret: string
  #commands = 0

  constructor(deployment: Deployment, program: Exported, secret: string) {
    this.#deployment = deployment
    this.#parts = program as unknown as MediaParts
    this.#secret = secret
  }

  #last: Sent | undefined

  /** Sends the last command again, as an eavesdropper would; returns the status of the answer. */
  async repeat(): Promise<number> {
    if (!this.#last) throw new Error('no command was given')
    return (await this.#deployment.answer(this.#last)).status
  }

  async command(command: Command): Promise<Record<string, unknown>> {
    const sent = await this.#signed(command, this.#secret, 0)
    this.#last = sent
    const answer = await this.#deployment.answer(sent)
    if (!answer.ok) throw new Error(`${command.command}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }

  /** The answers to a command that somebody else has signed, to one that is sent too late, and to one that nobody has signed. */
  async forge(command: Command): Promise<number[]> {
    const { signatureHeader } = this.#parts
    const strange = await this.#signed(command, `not ${this.#secret}`, 0)
    const late = await this.#signed(command, this.#secret, lateMs)
    const bare = await this.#signed(command, this.#secret, 0)
    bare.headers.delete(signatureHeader)
    const statuses: number[] = []
    for (const sent of [strange, late, bare])
      statuses.push((await this.#deployment.answer(sent)).status)
    return statuses
  }

  /** `agoMs`: how long ago it was signed. */
  async #signed(command: Command, secret: string, agoMs: number): Promise<Sent> {
    const { signatureHeader, signMessage } = this.#parts
    const nonce = `operator-nonce-${++this.#commands}`
    const body = JSON.stringify({ ...command, nonce })
    const signature = await signMessage(secret, body, this.#deployment.world.loop.wall - agoMs)
    const headers = { [signatureHeader]: signature, 'x-asked': nonce }
    return sentOf(`${serviceUrl}/internal/admin`, { method: 'POST', body, headers })
  }
}
