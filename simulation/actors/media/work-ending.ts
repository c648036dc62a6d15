import type { World } from '../../engine/world.ts'

/** How a media worker tells the end of its work. */
export type ToldEnding = Record<string, unknown> & { type: string }

const untaken = 'The bucket did not take the file.'

/** What each attempt says where all attempts at a file fail. */
export function whyFails(world: World, jobId: string): string {
  return world.draw(`why ${jobId} fails`) < 0.4 ? untaken : 'The encoder stopped.'
}

export function endingOf(error: unknown, { signal }: AbortController): ToldEnding | undefined {
  const stop: unknown = signal.reason
  if (typeof stop === 'object' && stop !== null && 'stopReason' in stop) {
    return stop.stopReason === 'shutdown' ? { type: 'released' } : undefined
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof BeyondLimit)
    return { type: 'failed', reason: 'beyond_limit', message, retryable: false }
  const retryable = !message.startsWith('The file')
  return { type: 'failed', reason: reasonOf(message, retryable), message, retryable }
}

function reasonOf(message: string, retryable: boolean) {
  if (message === untaken) return 'storage_failed'
  return retryable ? 'internal' : 'source_not_media'
}

/** The work would take longer, or cost more, than its customer allows. */
export class BeyondLimit extends Error {}
