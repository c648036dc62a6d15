import type { ValuesFor } from '../../worker/contract/settings/table.ts'
import { isLoopbackName } from '../../worker/contract/addresses/public-url.ts'

/** For trying things out on one's own machine, with file servers and webhook receivers next to the service. */
const ownMachine = 'localhost,127.0.0.1'

/**
 * The private hosts that customers may use by default. On a laptop the only customer is its owner; as soon as others
 * can reach the service, it must not reach hosts for them that they cannot reach themselves.
 */
export function defaultAllowedHosts(reach: Reach): string {
  return isForItsOwnerAlone(reach) ? ownMachine : ''
}

type Reach = { host: string; baseUrl: string | undefined }

export function reachOf({ HOST, BASE_URL }: Pick<ValuesFor<'start'>, 'HOST' | 'BASE_URL'>): Reach {
  return { host: HOST, baseUrl: BASE_URL }
}

/** True if only the person at this machine can reach the service. */
export function isForItsOwnerAlone({ host, baseUrl }: Reach): boolean {
  const outside = baseUrl === undefined ? [] : [URL.parse(baseUrl)?.hostname ?? '']
  return [host, ...outside].every(isLoopbackName)
}
