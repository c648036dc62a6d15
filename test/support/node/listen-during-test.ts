import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen, type LocalServer } from './listen.ts'

export async function listenDuringTest(handler: RequestListener): Promise<LocalServer> {
  const server = await listen(handler)
  onTestFinished(server.close)
  return server
}
