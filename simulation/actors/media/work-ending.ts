/** How a media worker tells the end of its work. */
export type ToldEnding = Record<string, unknown> & { type: string }

export function endingOf(error: unknown, { signal }: AbortController): ToldEnding | undefined {
  const stop: unknown = signal.reason
  if (typeof stop === 'object' && stop !== null && 'stopReason' in stop) {
    return stop.stopReason === 'shutdown' ? { type: 'released' } : undefined
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BeyondLimit)
    return { type: 'failed', reason: 'beyond_limit', message, retryable: false }
  const retryable = !message.startsWith('The file')
  return { type: 'failed', reason: retryable ? 'internal' : 'source_not_media', message, retryable }
}

/** The work would take longer, or cost more, than its customer allows. */
export class BeyondLimit extends Error {}
