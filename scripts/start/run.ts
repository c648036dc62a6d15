import type { ContainerHost } from '../containers/container-host.ts'
import type { DataDirectory } from './data/data-directory.ts'
import type { OwnMachine } from './own-machine.ts'
import type { Secrets } from './data/secrets.ts'
import type { Settings } from './settings.ts'

/**
 * `server` hosts the bundled Worker; `dev` runs it in `wrangler dev`, for people who change it; with `dev-by-hand` a
 * person starts `wrangler dev`, and everything else is started for them. With `containers`, `wrangler dev` gives each
 * job a container, as Cloudflare does.
 */
export type Mode = 'server' | 'dev' | 'dev-by-hand' | 'containers'

/** One run of the service on one data directory. */
export type ServiceRun = {
  mode: Mode
  settings: Settings
  /** False where what is printed is kept, and others may read it. */
  tellsSecrets: boolean
  data: DataDirectory
  secrets: Secrets
  /** On the loopback, only for the service itself. */
  ports: { entry: number; loopback: number; inspector: number }
  own: OwnMachine
  /** Only in the mode `containers`. */
  host?: ContainerHost
}
