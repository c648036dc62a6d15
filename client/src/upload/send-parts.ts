import type { PartAddress } from '../api-types.ts'
import { exchange, type Fetch } from '../http/exchange.ts'
import { retried } from '../http/retried.ts'
import { realTiming, type Timing } from '../http/timing.ts'
import type { OpenedSource } from './opened-source.ts'

export type PartPlan = { partSize: number; sizeInBytes: number; parts: readonly PartAddress[] }

export type SendPartsOptions = {
  signal?: AbortSignal | undefined
  /** How many parts are on their way at once. */
  parallel?: number
  maxRetries?: number
  /** Called with the bytes of each part that has arrived. */
  onSent?: (bytes: number) => void
  fetch?: Fetch
  timing?: Timing
}

type Readable = Pick<OpenedSource, 'read'>
type PartBytes = { address: PartAddress; bytes: Blob | Uint8Array<ArrayBuffer> }

const usualParallel = 4
const usualRetries = 5
/** The service itself ends a part that comes too slowly. */
const partTimeoutMs = 600_000

/** Sends the parts of an upload to their addresses, which need no API key. The first that fails stops the others. */
export async function sendParts(
  plan: PartPlan,
  source: Readable | Blob,
  options: SendPartsOptions = {},
): Promise<void> {
  const stop = new AbortController()
  const giveUp = () => stop.abort(options.signal?.reason)
  options.signal?.throwIfAborted()
  options.signal?.addEventListener('abort', giveUp, { once: true })
  const takeNext = partReader(plan, toReadable(source), stop.signal)
  const sendSome = async () => {
    for (let part = await takeNext(); part; part = await takeNext()) {
      await sendPart(part, stop.signal, options)
      options.onSent?.(part.bytes instanceof Blob ? part.bytes.size : part.bytes.length)
    }
  }
  const senders = Array.from({ length: options.parallel ?? usualParallel }, sendSome)
  try {
    await Promise.all(senders)
  } catch (error) {
    stop.abort(error)
    await Promise.allSettled(senders)
    throw error
  } finally {
    options.signal?.removeEventListener('abort', giveUp)
  }
}

export function bytesOfParts({ parts, partSize, sizeInBytes }: PartPlan): number {
  const lengths = parts.map(({ partNumber }) =>
    Math.min(partSize, sizeInBytes - (partNumber - 1) * partSize),
  )
  return lengths.reduce((sum, length) => sum + length, 0)
}

function toReadable(source: Readable | Blob): Readable {
  return 'read' in source ? source : { read: async (start, end) => source.slice(start, end) }
}

/** Reads the parts in their order, one after the other, because a stream can be read only forward. */
function partReader(
  { parts, partSize, sizeInBytes }: PartPlan,
  source: Readable,
  signal: AbortSignal,
) {
  const waiting = [...parts].sort((a, b) => a.partNumber - b.partNumber)
  const read = async (): Promise<PartBytes | undefined> => {
    const address = signal.aborted ? undefined : waiting.shift()
    if (!address) return undefined
    const start = (address.partNumber - 1) * partSize
    return { address, bytes: await source.read(start, Math.min(start + partSize, sizeInBytes)) }
  }
  let last: Promise<PartBytes | undefined> = Promise.resolve(undefined)
  return async () => (last = last.then(read))
}

async function sendPart(
  { address, bytes }: PartBytes,
  signal: AbortSignal,
  { fetch = sendByFetch, maxRetries = usualRetries, timing = realTiming }: SendPartsOptions,
): Promise<void> {
  const outgoing = { url: address.url, method: 'PUT', headers: {}, body: bytes, signal }
  await retried(
    async () => exchange(fetch, { ...outgoing, timeoutMs: partTimeoutMs }),
    // A part has the size it must have, so a 400 can only mean that it came too slowly.
    { maxRetries, repeatable: true, passes: ({ status }) => status === 400 },
    timing,
    signal,
  )
}

const sendByFetch: Fetch = async (url, init) => fetch(url, init)
