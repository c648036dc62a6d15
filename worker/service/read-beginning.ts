type ReadLimits = {
  /** How many bytes become text. */
  keptBytes: number
  /** How many bytes are read at most. */
  readBytes?: number
}

/** The beginning of an answer as text, and what ended the reading early. */
export async function readBeginning(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
  { keptBytes, readBytes = keptBytes }: ReadLimits,
): Promise<{ text: string; fault: unknown }> {
  if (!body) return { text: '', fault: undefined }
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', stop)
  const decoder = new TextDecoder()
  let text = ''
  let fault: unknown = undefined
  try {
    for (let read = 0; read < readBytes && !signal.aborted;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value.subarray(0, Math.max(0, keptBytes - read)), { stream: true })
      read += value.length
    }
  } catch (cause) {
    fault = cause
  }
  signal.removeEventListener('abort', stop)
  stop()
  return { text: text + decoder.decode(), fault }
}
