import { Transport, type TransportSettings } from '../../../client/src/http/transport.ts'

/** A line to a server of a test. It notes its pauses instead of waiting, and its chance is always the same. */
export function transportTo(
  baseUrl: string,
  settings: Partial<TransportSettings> = {},
): { transport: Transport; pauses: number[] } {
  const pauses: number[] = []
  const transport = new Transport({
    apiKey: 'spool_test',
    baseUrl,
    timeoutMs: 60_000,
    maxRetries: 5,
    fetch: async (url, init) => fetch(url, init),
    timing: {
      pause: async (ms) => void pauses.push(ms),
      random: () => 1,
    },
    ...settings,
  })
  return { transport, pauses }
}
