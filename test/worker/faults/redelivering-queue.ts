import { deliver } from '../../support/worker/job-queue.ts'

type Message = { body: unknown; dueAt: number }

/** A queue between two rounds of the world: messages that are not acknowledged come again. */
export class RedeliveringQueue {
  readonly #name: string
  #waiting: Message[] = []

  constructor(name: string) {
    this.#name = name
  }

  add(body: unknown, delaySeconds = 0): void {
    this.#waiting.push({ body, dueAt: Date.now() + delaySeconds * 1000 })
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** When the next message is due. */
  get dueAt(): number | undefined {
    return this.isEmpty ? undefined : Math.min(...this.#waiting.map(({ dueAt }) => dueAt))
  }

  forget(): void {
    this.#waiting = []
  }

  /** `attempt` returns whether the service survived it. */
  async deliverDue(attempt: (work: () => Promise<void>) => Promise<boolean>): Promise<void> {
    const now = Date.now()
    const due = this.#waiting.filter(({ dueAt }) => dueAt <= now)
    this.#waiting = this.#waiting.filter(({ dueAt }) => dueAt > now)
    while (due.length > 0) {
      const [message] = due.splice(0, 1)
      let isDone = false
      const survived = await attempt(async () => {
        isDone = (await deliver(message?.body, this.#name)).acknowledged
      })
      if (!isDone || !survived) this.add(message?.body, 15)
    }
  }
}
