import type { Exported } from '../engine/program.ts'
import { serviceUrl, type Deployment } from '../platform/deployment.ts'
import { sentOf, type Sent } from '../platform/network.ts'
import type { MediaParts } from './media/media-work.ts'

type Command = { command: string } & Record<string, unknown>

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
    const { signatureHeader, signMessage } = this.#parts
    const nonce = `operator-nonce-${++this.#commands}`
    const body = JSON.stringify({ ...command, nonce })
    const signature = await signMessage(this.#secret, body, this.#deployment.world.loop.wall)
    const sent = sentOf(`${serviceUrl}/internal/admin`, {
      method: 'POST',
      body,
      headers: { [signatureHeader]: signature, 'x-asked': nonce },
    })
    this.#last = sent
    const answer = await this.#deployment.answer(sent)
    if (!answer.ok) throw new Error(`${command.command}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
}
