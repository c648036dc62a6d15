const encoder = new TextEncoder()

/** So much may lie unread before a client is spared what it cannot take in. */
const unreadBytes = 65_536

/** One client that follows a video. It is never sent more than it reads, but for the last word. */
export class EventStream {
  readonly readable: ReadableStream<Uint8Array>
  #controller: ReadableByteStreamController | undefined
  #blocked = 0

  constructor(onGone: (stream: EventStream) => void) {
    this.readable = new ReadableStream(
      {
        type: 'bytes',
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => {
          this.#controller = undefined
          onGone(this)
        },
      },
      { highWaterMark: unreadBytes },
    )
  }

  /** How often in a row there was no room. */
  get blocked(): number {
    return this.#blocked
  }

  /** What was sent and not read yet. */
  get unread(): number {
    return unreadBytes - (this.#controller?.desiredSize ?? unreadBytes)
  }

  /** False when the client has not read what it was sent before, or there is no room at all; it is then left out. */
  send(text: string, hasRoom = true): boolean {
    if (!hasRoom || (this.#controller?.desiredSize ?? 0) <= 0) {
      this.#blocked++
      return false
    }
    this.#blocked = 0
    this.#controller?.enqueue(encoder.encode(text))
    return true
  }

  end(text: string): void {
    if (text !== '') this.#controller?.enqueue(encoder.encode(text))
    this.#controller?.close()
    this.#controller = undefined
  }
}
