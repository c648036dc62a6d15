/**
 * Resolves with the work, or rejects with the reason of the signal as soon as it is aborted. Needed for work that may ignore
 * the signal: a pipeline whose request is aborted at the same moment never settles (Node 24).
 */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  // After the signal the result of the work does not matter.
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
