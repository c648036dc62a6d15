import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import path from 'node:path'
import { installWithApt } from '../machine/install-with-apt.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { identify } from '../machine/process-table.ts'

/** The folder of the engine that `--install` starts where no service manager does, apart from any other engine's. */
const folder = '/var/tmp/spool-docker'
export const ownEngine = { socket: path.join(folder, 'sock') }
const pidFile = path.join(folder, 'pid')
const logFile = path.join(folder, 'log')

type Say = (line: string) => void

const startPatienceMs = 30_000

/** Debian's engine, and what makes a base image where no image registry can be reached. */
export function installEngine(say: Say): void {
  const wanted = [
    ['docker.io', '/usr/sbin/dockerd'],
    ['mmdebstrap', '/usr/bin/mmdebstrap'],
  ].filter(([, program = '']) => !existsSync(program))
  const packages = wanted.map(([name]) => name).join(' ')
  if (packages === '') return
  const how = 'https://docs.docker.com/engine/install/'
  installWithApt(
    {
      package: packages,
      missing: 'Debian’s Docker engine is missing.',
      brew: 'brew install --cask docker',
      otherwise: `Install one: ${how}`,
    },
    say,
  )
}

/** Starts an engine of our own, which lives on until `--stop`. */
export async function startOwnEngine(say: Say): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new StopWithMessage('An engine is started by root: sudo npm run containers -- --install')
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  rmSync(pidFile, { force: true })
  const log = openSync(logFile, 'a', 0o600)
  const places = ['data', 'exec'].map((name) => path.join(folder, name))
  const engine = spawn(
    '/usr/sbin/dockerd',
    [
      // workerd asks the engine for the gateway of its bridge, which a fresh one does not tell without this.
      ...['--bip', '172.17.0.1/16', '--storage-driver', 'overlay2', '--pidfile', pidFile],
      ...['--data-root', places[0] ?? folder, '--exec-root', places[1] ?? folder],
      ...['--host', `unix://${ownEngine.socket}`],
    ],
    { detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  const gone = new Promise<void>((resolve) => {
    engine.once('exit', () => resolve())
    engine.once('error', () => resolve())
  })
  engine.unref()
  const until = performance.now() + startPatienceMs
  while (!existsSync(ownEngine.socket) && performance.now() < until) {
    if (await Promise.race([gone.then(() => true), delay(100, false)])) break
  }
  if (!existsSync(ownEngine.socket)) {
    throw new StopWithMessage(`The Docker engine did not start. Its log: ${logFile}`)
  }
  say(`Started a Docker engine of Spool's own in ${folder}. npm run containers -- --stop ends it.`)
}

/** Ends the engine that `startOwnEngine` has started. Returns whether there was one. */
export async function stopOwnEngine(): Promise<boolean> {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : Number.NaN
  if (!Number.isInteger(pid) || !identify(pid)) return false
  process.kill(pid, 'SIGTERM')
  while (identify(pid)) await delay(100)
  rmSync(ownEngine.socket, { force: true })
  return true
}
