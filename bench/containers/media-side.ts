import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import path from 'node:path'
import { dock, type Engine } from '../../scripts/containers/engine.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { sendSignal } from '../../scripts/machine/kill-group.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { cpuBelow, memoryBelow } from '../start/process-memory.ts'

export const token = 'a-token-of-a-benchmark-with-32-characters'

/** A media worker that has just answered for the first time. */
export type MediaSide = {
  url: string
  readySeconds: number
  /** Used until it was ready. */
  readyCpuSeconds: number
  /** Used until now. */
  cpuSeconds: () => number
  mebibytes: () => number
  stop: () => Promise<void>
}

const patienceMs = 60_000

export async function startContainer(
  engine: Engine,
  image: string,
  env: Readonly<Record<string, string>>,
): Promise<MediaSide> {
  const [port = 0] = await freePorts(1)
  const given = { MEDIA_WORKER_TOKEN: token, MEDIA_SLOTS: '1', ...env }
  const beganAt = performance.now()
  const id = dock(
    engine,
    ...['run', '--detach', '--rm', '--publish', `127.0.0.1:${port}:8080`],
    ...Object.entries(given).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    image,
  )
  if (id === undefined) throw new Error(`the engine did not start ${image}`)
  const pid = Number(dock(engine, 'inspect', '--format', '{{.State.Pid}}', id))
  const stop = async () => void dock(engine, 'rm', '--force', '--volumes', id)
  return ready(`http://127.0.0.1:${port}`, pid, beganAt, stop)
}

export async function startPlain(folder: string): Promise<MediaSide> {
  const [port = 0] = await freePorts(1)
  const beganAt = performance.now()
  const child = spawn(process.execPath, [path.join(root, 'containers/main.ts')], {
    env: {
      ...{ PATH: process.env['PATH'], MEDIA_WORKER_TOKEN: token, MEDIA_SLOTS: '1' },
      ...{ MEDIA_HOST: '127.0.0.1', MEDIA_PORT: String(port), SPOOL_WORK_DIR: folder },
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    },
    stdio: 'ignore',
    detached: true,
  })
  const stop = async () => {
    const ended = once(child, 'exit')
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL')
    await ended
  }
  return ready(`http://127.0.0.1:${port}`, child.pid ?? 0, beganAt, stop)
}

async function ready(
  url: string,
  pid: number,
  beganAt: number,
  stop: () => Promise<void>,
): Promise<MediaSide> {
  while (!(await answers(url))) {
    if (performance.now() - beganAt > patienceMs) {
      await stop()
      throw new Error(`no media worker answers at ${url}`)
    }
    await delay(20)
  }
  return {
    url,
    readySeconds: (performance.now() - beganAt) / 1_000,
    readyCpuSeconds: cpuBelow(pid),
    cpuSeconds: () => cpuBelow(pid),
    mebibytes: () => memoryBelow(pid).reduce((sum, { mebibytes }) => sum + mebibytes, 0),
    stop,
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}
