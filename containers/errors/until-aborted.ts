/**
 * The work, or the reason of the signal as soon as it is aborted. For work that promises to hear the signal and may not:
 * a pipeline whose request is aborted in the same moment never settles (Node 24).
 */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  // Whatever becomes of the work after the signal is nobody's news.
  work.catch(() => undefined)
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
