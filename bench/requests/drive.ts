import { Agent, request } from 'node:http'
import type { HostedWorker } from './hosted-worker.ts'
import type { Target, WireRequest } from './targets.ts'

/** `cpuSeconds`: processor time of the driven side, if the system can tell. */
export type Slice = { seconds: number; latenciesMs: number[]; cpuSeconds: number | undefined }

export type Drive = {
  worker: HostedWorker
  connections: number
  sliceMs: number
  stop: AbortSignal
}

/**
 * Sends one request after another on every connection until the time is over. Connections are kept only for one slice:
 * the server closes idle ones, and a request sent at that moment would be lost.
 */
export async function driveSlice(target: Target, drive: Drive): Promise<Slice> {
  const latenciesMs: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: drive.connections })
  const cpuBefore = drive.worker.cpuSeconds()
  const startedAt = performance.now()
  let sent = 0
  const onConnection = async () => {
    while (performance.now() - startedAt < drive.sliceMs) {
      drive.stop.throwIfAborted()
      const sentAt = performance.now()
      await send(target(sent++), agent)
      latenciesMs.push(performance.now() - sentAt)
    }
  }
  try {
    await Promise.all(Array.from({ length: drive.connections }, onConnection))
  } finally {
    agent.destroy()
  }
  const seconds = (performance.now() - startedAt) / 1000
  const cpuAfter = drive.worker.cpuSeconds()
  // If it is less than before, the runtime was restarted and its time is lost.
  const known = cpuBefore !== undefined && cpuAfter !== undefined && cpuAfter >= cpuBefore
  const cpuSeconds = known ? cpuAfter - cpuBefore : undefined
  return { seconds, latenciesMs, cpuSeconds }
}

/** Reads the whole answer; any other status than the expected one ends the run. */
async function send(wire: WireRequest, agent: Agent): Promise<void> {
  const length = wire.body === undefined ? {} : { 'Content-Length': Buffer.byteLength(wire.body) }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      wire.url,
      { method: wire.method, headers: { ...wire.headers, ...length }, agent },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === wire.expect) resolve()
          else reject(new Error(`${wire.url} answered ${response.statusCode ?? '?'}: ${text}`))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(wire.body)
  })
}
