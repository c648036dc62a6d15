import { createHash } from 'node:crypto'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../machine/checkout.ts'
import { buildable } from './base-image.ts'
import { build, dock, type Engine } from './engine.ts'

/** What `wrangler dev` needs so that each job gets a container of its own. */
export type ContainerHost = {
  /** The address at which containers reach this machine. */
  gateway: string
  /** The Dockerfile of the media worker as this engine can build it. */
  dockerfile: string
  /** For wrangler and workerd. */
  env: Record<string, string>
  /** Removes what a service of this data directory has left on the engine. */
  removeLeftovers: () => void
}

/** The image that miniflare names; it must be the one that this version of workerd talks to. */
const sidecarFolder = fileURLToPath(new URL('./sidecar', import.meta.url))
const sidecarBase = 'cloudflare/proxy-everything:3cb1195'

/**
 * Builds the images. Both belong to one data directory alone: when wrangler ends, it removes all containers of its image,
 * and the sidecars that it forgets are found by theirs.
 */
export async function prepareHost(
  engine: Engine,
  dataDirectory: string,
  say: (line: string) => void,
): Promise<ContainerHost> {
  const mark = markOf(dataDirectory)
  const label = `\nLABEL spool.data-directory=${mark}\n`
  const dockerfile = (await buildable(engine, 'containers/Dockerfile', say)) + label
  say('Building the image of media workers …')
  build(engine, { tag: `spool-media:${mark}`, context: root, text: dockerfile })
  const sidecar = `spool-sidecar:${mark}`
  const isReal =
    dock(engine, 'image', 'inspect', sidecarBase) !== undefined ||
    dock(engine, 'pull', '--quiet', sidecarBase) !== undefined
  const standIn = `FROM ${/^FROM (\S+)/m.exec(dockerfile)?.[1]}
COPY main.mjs /main.mjs
USER 1000
ENTRYPOINT ["node", "/main.mjs"]`
  const text = (isReal ? `FROM ${sidecarBase}` : standIn) + label
  build(engine, { tag: sidecar, context: sidecarFolder, text })
  if (!isReal) {
    say(
      `${sidecarBase} cannot be fetched: a stand-in leads workerd to the containers. It intercepts nothing that they send.`,
    )
  }
  return {
    gateway: engine.gateway,
    dockerfile,
    env: {
      WRANGLER_DOCKER_BIN: path.join(root, 'scripts/containers/docker.sh'),
      WRANGLER_DOCKER_HOST: engine.host,
      DOCKER_HOST: engine.host,
      MINIFLARE_CONTAINER_EGRESS_IMAGE: sidecar,
      WRANGLER_CI_OVERRIDE_NETWORK_MODE_HOST: '1',
      SPOOL_DOCKER: engine.docker,
      SPOOL_HAS_BUILDX: engine.hasBuildx ? 'yes' : 'no',
    },
    removeLeftovers: () => {
      removeContainers(engine, mark)
      removeTags(engine, mark)
    },
  }
}

/** Stands in the labels of images and containers. */
export function markOf(dataDirectory: string): string {
  return createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12)
}

/** workerd keeps the sidecar of a job for ten minutes, and forgets it if it is ended earlier. Containers have the label of their image. */
function removeContainers(engine: Engine, mark: string): void {
  const filter = `label=spool.data-directory=${mark}`
  const ids = dock(engine, 'ps', '--all', '--quiet', '--filter', filter)?.split('\n') ?? []
  const found = ids.filter((id) => id !== '')
  if (found.length > 0) dock(engine, 'rm', '--force', '--volumes', ...found)
}

/** wrangler gives the image a new tag at every start, and keeps them all. */
function removeTags(engine: Engine, mark: string): void {
  const tags = dock(
    engine,
    ...['image', 'ls', '--filter', `label=spool.data-directory=${mark}`],
    ...['--format', '{{.Repository}}:{{.Tag}}'],
  )
  const own = tags?.split('\n').filter((tag) => tag.startsWith('cloudflare-dev/')) ?? []
  if (own.length > 0) dock(engine, 'rmi', ...own)
}
