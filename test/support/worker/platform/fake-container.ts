const health = { status: 'ok', version: 1, slots: 1, running: 0 }

/** A container as its Durable Object sees it: it can be refused, start slowly, die, and come back. */
export class FakeContainer {
  running = false
  /** Thrown by start(), as when no instance is available. */
  refusal: Error | undefined
  readyAfterPolls = 0
  stopsAfterPolls = Infinity
  /** What its monitor throws when it stops, as when no instance was found in all the time that it was starting. */
  fault: Error | undefined
  answerJob: () => Response = () => new Response(null, { status: 202 })
  readonly requests: Request[] = []
  readonly started: (ContainerStartupOptions | undefined)[] = []
  readonly inactivityMs: (number | bigint)[] = []
  #polls = 0
  #onStop: ((fault: Error | undefined) => void)[] = []

  start(options?: ContainerStartupOptions): void {
    if (this.refusal) throw this.refusal
    this.started.push(options)
    this.running = true
    this.#polls = 0
  }

  async monitor(): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      this.#onStop.push((fault) => (fault ? reject(fault) : resolve())),
    )
  }

  async destroy(): Promise<void> {
    this.die()
  }

  async setInactivityTimeout(ms: number | bigint): Promise<void> {
    this.inactivityMs.push(ms)
  }

  die(): void {
    this.running = false
    for (const told of this.#onStop.splice(0)) told(this.fault)
  }

  /** Replaces the pause between two checks, without waiting. */
  async passTime(): Promise<void> {
    if (++this.#polls >= this.stopsAfterPolls) this.die()
  }

  getTcpPort() {
    return {
      fetch: async (url: string, init?: RequestInit): Promise<Response> => {
        if (!this.running) throw new Error('the container is not running')
        const request = new Request(url, init)
        this.requests.push(request)
        if (request.url.endsWith('/jobs')) return this.answerJob()
        if (request.url.endsWith('/jobs/cancel')) return Response.json({ canceled: true })
        if (this.#polls < this.readyAfterPolls) throw new Error('connection refused')
        return Response.json(health)
      },
    }
  }

  paths(): string[] {
    return this.requests.map(({ url }) => new URL(url).pathname)
  }

  /** The part of a container that is used. */
  asContainer(): Container {
    return this as unknown as Container
  }
}
