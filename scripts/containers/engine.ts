import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { ownEngine } from './own-engine.ts'

/** A Docker engine that answers, and how to reach it. */
export type Engine = {
  /** The program, by its path: the PATH may lead to another one of the same name. */
  docker: string
  /** The socket, as DOCKER_HOST names it. */
  host: string
  version: string
  /** The address at which containers reach this machine. */
  gateway: string
  hasBuildx: boolean
}

const usualSocket = '/var/run/docker.sock'
/** Debian's own comes first: a client without an engine may stand in /usr/local. */
const programs = ['/usr/bin/docker', '/usr/local/bin/docker', '/opt/homebrew/bin/docker']

const bridge = z.tuple([
  z.looseObject({
    IPAM: z.looseObject({ Config: z.array(z.looseObject({ Gateway: z.string().optional() })) }),
  }),
])

const howToInstall = `Install Docker (https://docs.docker.com/engine/install/), or on Debian, as root:

  npm run containers -- --install`

/** Finds the engine of DOCKER_HOST, of this machine, or the one that `--install` has started; stops with what is missing. */
export function findEngine(env: NodeJS.ProcessEnv = process.env): Engine {
  const docker = programs.find((program) => existsSync(program))
  if (docker === undefined)
    throw new StopWithMessage(`The program docker is missing. ${howToInstall}`)
  const hosts = candidates(env)
  const answers = hosts.map((host) => ({ host, ...ask(docker, host) }))
  const found = answers.find(({ version }) => version !== undefined)
  if (found?.version === undefined) {
    const tried = answers.map(({ host, fault }) => `  ${host}: ${fault}`).join('\n')
    throw new StopWithMessage(`No Docker engine answers:\n\n${tried}\n\nStart it. ${howToInstall}`)
  }
  const { host, version } = found
  const gateway = gatewayOf(docker, host)
  const hasBuildx = docked(docker, host, ['buildx', 'version']).status === 0
  return { docker, host, version, gateway, hasBuildx }
}

function candidates({ DOCKER_HOST }: NodeJS.ProcessEnv): string[] {
  if (DOCKER_HOST !== undefined && DOCKER_HOST !== '') return [DOCKER_HOST]
  return [usualSocket, ownEngine.socket].map((socket) => `unix://${socket}`)
}

function ask(docker: string, host: string): { version?: string; fault: string } {
  const socket = /^unix:\/\/(.+)$/.exec(host)?.[1]
  if (socket !== undefined && !existsSync(socket)) return { fault: 'there is no such socket' }
  const { status, stdout, stderr } = docked(docker, host, [
    ...['version', '--format', '{{.Server.Version}}'],
  ])
  if (status === 0) return { version: stdout.trim(), fault: '' }
  return { fault: stderr.trim().split('\n')[0] ?? 'it does not answer' }
}

/** A container calls the service at this address, and workerd asks the engine for it. */
function gatewayOf(docker: string, host: string): string {
  const { stdout } = docked(docker, host, ['network', 'inspect', 'bridge'])
  const parsed = bridge.safeParse(jsonOf(stdout))
  const gateway = parsed.data?.[0].IPAM.Config.find(({ Gateway }) => Gateway !== undefined)?.Gateway
  if (gateway !== undefined && gateway !== '') return gateway
  throw new StopWithMessage(
    'The bridge of the Docker engine tells no gateway, so that containers would not find the service. ' +
      'Start the engine with an address for it: dockerd --bip 172.17.0.1/16',
  )
}

const patienceMs = 20_000

function docked(docker: string, host: string, args: readonly string[]) {
  return spawnSync(docker, args, {
    encoding: 'utf8',
    timeout: patienceMs,
    env: { ...process.env, DOCKER_HOST: host },
  })
}

/** Runs one command of the engine; undefined if it failed. */
export function dock({ docker, host }: Engine, ...args: readonly string[]): string | undefined {
  const { status, stdout } = docked(docker, host, args)
  return status === 0 ? stdout.trim() : undefined
}

type Image = { tag: string; context: string } & ({ file: string } | { text: string })

/** Builds an image; what the engine says is shown only if it fails. */
export function build(engine: Engine, { tag, context, ...from }: Image): void {
  const file = 'file' in from ? from.file : '-'
  const { status, stdout, stderr } = spawnSync(
    engine.docker,
    // With the network of this machine, because not every engine gives one to a build.
    ['build', '--network', 'host', '--tag', tag, '--file', file, context],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 27,
      input: 'text' in from ? from.text : '',
      env: {
        ...process.env,
        DOCKER_HOST: engine.host,
        DOCKER_BUILDKIT: engine.hasBuildx ? '1' : '0',
      },
    },
  )
  if (status === 0) return
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-30).join('\n')
  throw new StopWithMessage(`The image ${tag} was not built:\n\n${said}`)
}
