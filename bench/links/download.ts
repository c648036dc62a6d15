import { Agent, request } from 'node:http'

export type Wanted = {
  url: string
  range?: string
  status: number
  bytes: number
  stop: AbortSignal
}

/** Reads an answer to its end, and throws if its status or its number of bytes is another. */
export async function download(
  { url, range, status, bytes, stop }: Wanted,
  agent: Agent,
): Promise<void> {
  const headers = range === undefined ? {} : { Range: range }
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { agent, headers, signal: stop }, (response) => {
      let read = 0
      response.on('data', (part: Buffer) => (read += part.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === status && read === bytes) resolve()
        else reject(new Error(`${url}: ${response.statusCode ?? '?'} with ${read} bytes`))
      })
    })
    outgoing.on('error', reject).end()
  })
}

/** Returns the seconds that it takes to get everything on a few kept-alive connections. */
export async function downloadAll(all: readonly Wanted[], connections: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startedAt = performance.now()
  let next = 0
  const onConnection = async () => {
    for (let wanted = all[next++]; wanted; wanted = all[next++]) await download(wanted, agent)
  }
  try {
    await Promise.all(Array.from({ length: connections }, onConnection))
  } finally {
    agent.destroy()
  }
  return (performance.now() - startedAt) / 1000
}
