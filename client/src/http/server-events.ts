/** One server-sent event. */
type ServerEvent = { type: string; data: string }

/**
 * The events of a stream as they arrive. `onBytes` is called whenever anything arrives, comments among it. A stream that
 * breaks throws; one that ends in the middle of an event leaves that out. An aborted signal ends it, even where a runtime
 * does not pass that on to the stream.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unread = ''
  // The connection may be broken already, and nobody waits for it.
  const leave = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', leave, { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      unread += decoder.decode(value, { stream: true })
      const blocks = unread.split(/\r?\n\r?\n/)
      unread = blocks.pop() ?? ''
      yield* blocks.map(parseBlock).filter((event) => event.data !== '')
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}

function parseBlock(block: string): ServerEvent {
  let type = 'message'
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    // A name may have a line separator of Unicode in it, which `.` matches only with this flag.
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
  return { type, data: data.join('\n') }
}
