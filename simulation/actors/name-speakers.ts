import type { World } from '../engine/world.ts'
import { speakers } from './media/told-of-work.ts'
import type { Answer } from './exchange.ts'

type Read = Record<string, unknown>
type Parts = {
  world: World
  name: string
  ask: (change: unknown) => Promise<Answer | undefined>
}
type Named = { name: string; heardAs?: string[] }

const share = 0.6
const withinMs = 2_000
const mostTries = 12

/** Two people name the speakers of one video at the same time, one speaker each. */
export class NameSpeakers {
  readonly #parts: Parts
  /** The confirmed names, by the names that the job gave the speakers. */
  readonly #confirmed = new Map<string, string>()
  #asking = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  begin({ transcript }: Read): void {
    const { world, name } = this.#parts
    const { status } = (transcript ?? {}) as Read
    if (status !== 'completed' || world.draw(`${name} names speakers`) >= share) return
    for (const heard of speakers) void this.#name(heard)
  }

  /** Whether a request to change a name is under way. */
  get isAsking(): boolean {
    return this.#asking > 0
  }

  /** A confirmed name must not have been changed back. */
  judge({ transcript }: Read): void {
    const { speakers: told = [] } = (transcript ?? {}) as { speakers?: Named[] }
    for (const [heard, name] of this.#confirmed) {
      if (told.some((one) => one.name === name && one.heardAs?.join() === heard)) continue
      this.#parts.world.break(
        `${this.#parts.name}: ${heard} was named ${name}, and is read as ${JSON.stringify(told)}`,
      )
    }
  }

  async #name(heard: string): Promise<void> {
    const { ask, name: order, world } = this.#parts
    const name = `${heard} of ${order}`
    await world.loop.pause(withinMs * world.draw(`${name} is named after`) ** 2)
    for (let tries = 0; tries < mostTries; tries++) {
      this.#asking++
      const answer = await ask({ speakerNames: { [heard]: name } })
      this.#asking--
      if (answer?.status === 200) this.#confirmed.set(heard, name)
      if (answer?.status === 400) world.break(`${order}: a name was answered ${answer.text}`)
      const isAgain = !answer || answer.status >= 500 || /[Tt]ry again|Too many/.test(answer.text)
      if (!isAgain) return
      await world.loop.pause(10_000 + 50_000 * world.draw(`${name} again ${tries}`))
    }
  }
}
