/** A larger file is not read into memory for its sound. */
const mostBytesToHear = 400_000_000

type HearingLimits = { mostBytes?: number; sampleRate?: number }

/** The sound of a clip; undefined if this browser cannot decode it, or if the file is too large to be read whole. */
export async function hear(
  address: string,
  { mostBytes = mostBytesToHear, sampleRate = 8000 }: HearingLimits = {},
): Promise<AudioBuffer | undefined> {
  const answer = await fetch(address)
  const length = Number(answer.headers.get('Content-Length') ?? 0)
  if (!answer.ok || length > mostBytes) {
    await answer.body?.cancel()
    return undefined
  }
  const bytes = await answer.arrayBuffer()
  if (bytes.byteLength > mostBytes) return undefined
  const context = new OfflineAudioContext(1, 1, sampleRate)
  return context.decodeAudioData(bytes).catch(() => undefined)
}

export function peakOf(samples: Float32Array, from: number, to: number): number {
  let peak = 0
  for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(samples[i] ?? 0))
  return peak
}
