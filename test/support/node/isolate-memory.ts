type HeapUsage = { usedSize: number; backingStorageSize?: number; embedderHeapUsedSize?: number }
type Answer = { id?: number; result?: HeapUsage; error?: { message: string } }

/** What a debugger sees of the memory that the Worker's isolate holds on to: its heap, and the buffers beside it. */
export class IsolateMemory {
  readonly #socket: WebSocket
  readonly #asked = new Map<number, PromiseWithResolvers<HeapUsage>>()
  #lastId = 0
  #watching: Promise<void> | undefined
  #isOver = false
  highest = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data)) as Answer))
  }

  /** `address`: of the debugger, as `npm run dev` prints it. */
  static async open(address: string): Promise<IsolateMemory> {
    const listed = await fetch(`http://${address}/json`)
    const [target] = (await listed.json()) as { webSocketDebuggerUrl: string }[]
    if (!target) throw new Error(`nothing to debug at ${address}`)
    // The debugger refuses a connection that does not say where it comes from.
    const headers = { Origin: 'http://127.0.0.1' }
    const socket = new WebSocket(target.webSocketDebuggerUrl, { headers })
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error(`no debugger at ${address}`)))
    })
    return new IsolateMemory(socket)
  }

  /** Measures again and again until it is closed. Garbage is collected before, because it counts for nothing. */
  watch(): void {
    this.#watching = this.#measureUntilOver()
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#watching
    this.#socket.close()
  }

  async #measureUntilOver(): Promise<void> {
    while (!this.#isOver) this.highest = Math.max(this.highest, await this.measure())
  }

  async measure(): Promise<number> {
    await this.#ask('HeapProfiler.collectGarbage')
    const {
      usedSize,
      backingStorageSize = 0,
      embedderHeapUsedSize = 0,
    } = await this.#ask('Runtime.getHeapUsage')
    return usedSize + backingStorageSize + embedderHeapUsedSize
  }

  async #ask(method: string): Promise<HeapUsage> {
    const id = ++this.#lastId
    const answered = Promise.withResolvers<HeapUsage>()
    this.#asked.set(id, answered)
    this.#socket.send(JSON.stringify({ id, method }))
    return answered.promise
  }

  #hear({ id = 0, result, error }: Answer): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if (error) asked?.reject(new Error(error.message))
    else if (result) asked?.resolve(result)
  }
}
