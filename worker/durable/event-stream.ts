const encoder = new TextEncoder()

/** A client that has this many unread bytes gets no further events until it has read them. */
const unreadBytes = 65_536

/** One client that follows a video. It is sent nothing while it does not read, except the last event. */
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

  /** How many sends in a row were skipped. */
  get blocked(): number {
    return this.#blocked
  }

  /** Bytes that were sent but not read yet. */
  get unread(): number {
    return unreadBytes - (this.#controller?.desiredSize ?? unreadBytes)
  }

  /** Sends nothing and returns false if the client has not read what it was sent before, or if `hasRoom` is false. */
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
