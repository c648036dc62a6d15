import { Agent, request, type OutgoingHttpHeaders } from 'node:http'

export type Wire = {
  url: string
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string
  signal: AbortSignal
}

/**
 * Sends one request after another on several kept-alive connections until there are none left. Connections are kept only for
 * that time: the server closes idle ones, and a request sent at that moment would be lost. Any error ends it.
 */
export async function drive(
  connections: number,
  next: () => Wire | undefined,
  onAnswer: (answer: { bytes: number; tookMs: number }) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const onConnection = async () => {
    for (let wire = next(); wire; wire = next()) {
      const sentAt = performance.now()
      const bytes = await send(wire, agent)
      onAnswer({ bytes, tookMs: performance.now() - sentAt })
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, onConnection))
  } finally {
    agent.destroy()
  }
}

/** Reads the whole answer, and returns how many bytes it has. */
async function send({ url, body, ...options }: Wire, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, agent }, (response) => {
      let bytes = 0
      response.on('data', (part: Buffer) => (bytes += part.length))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) resolve(bytes)
        else reject(new Error(`${url} answered ${statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
