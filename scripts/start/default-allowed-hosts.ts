import { canonicalHost, isLoopback } from '../../worker/contract/public-url.ts'

/** For trying things out on one's own machine: files and receivers of webhooks that run beside the service. */
const ownMachine = 'localhost,127.0.0.1'

/**
 * Which private hosts customers may use when nobody has said so. On a laptop they are its owner; as soon as others can
 * reach the service, what they may not reach themselves is closed to them here too.
 */
export function defaultAllowedHosts(reach: Reach): string {
  return isForItsOwnerAlone(reach) ? ownMachine : ''
}

type Reach = { host: string; baseUrl: string | undefined }

/** Nobody but the person at this machine can reach the service. */
export function isForItsOwnerAlone({ host, baseUrl }: Reach): boolean {
  const outside = baseUrl === undefined ? [] : [URL.parse(baseUrl)?.hostname ?? '']
  return [host, ...outside].every(isLoopbackAlone)
}

/** Not 0.0.0.0 and ::, which listen everywhere. */
function isLoopbackAlone(name: string): boolean {
  const host = canonicalHost(name)
  return host !== undefined && isLoopback(host)
}
