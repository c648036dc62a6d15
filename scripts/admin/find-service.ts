import { StopWithMessage } from '../machine/stop-with-message.ts'
import { dataDirectory } from '../start/data/data-directory.ts'
import { readDevFile } from '../start/dev-file.ts'
import { readSecrets } from '../start/data/secrets.ts'
import { readSettings } from '../start/settings.ts'
import type { AdminTarget } from './call-admin.ts'

/** The service that gets the command: the one named, or the one running on this machine. */
export function findService(url: string | undefined, env: NodeJS.ProcessEnv): AdminTarget {
  return url === undefined ? localService(env) : deployedService(url, env)
}

function deployedService(url: string, env: NodeJS.ProcessEnv): AdminTarget {
  const adminSecret = env['SPOOL_ADMIN_SECRET'] ?? ''
  if (adminSecret === '') {
    throw new StopWithMessage(
      '--url needs the variable SPOOL_ADMIN_SECRET, the secret that was given to the service.',
      2,
    )
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const local = parsed?.hostname === 'localhost' || parsed?.hostname === '127.0.0.1'
  // An answer may contain a new key, which must not cross a network unencrypted.
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && local)) {
    throw new StopWithMessage(`--url: ${url} must be an https address`, 2)
  }
  return { baseUrl: url.replace(/\/+$/, ''), adminSecret }
}

function localService(env: NodeJS.ProcessEnv): AdminTarget {
  const base = readSettings({ SPOOL_DATA_DIR: env['SPOOL_DATA_DIR'] }).SPOOL_DATA_DIR
  const data = dataDirectory(base)
  const service = readDevFile(data.devFile)
  if (!service) {
    throw new StopWithMessage(
      `No service runs on ${base}. Start one (npm start), point SPOOL_DATA_DIR at its data directory, or name a deployed one with --url.`,
    )
  }
  const secrets = readSecrets(data.secrets)
  if (!secrets) throw new StopWithMessage(`${data.secrets} cannot be read.`)
  return { baseUrl: service.baseUrl, adminSecret: secrets.adminSecret }
}
