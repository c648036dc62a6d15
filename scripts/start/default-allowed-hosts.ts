import { canonicalHost, isLoopback } from '../../worker/contract/public-url.ts'

/** For trying things out on one's own machine: files and receivers of webhooks that run beside the service. */
const ownMachine = 'localhost,127.0.0.1'

/**
 * Which private hosts customers may use when nobody has said so. On a laptop they are its owner; as soon as others can
 * reach the service, what they may not reach themselves is closed to them here too.
 */
export function defaultAllowedHosts(reach: { host: string; baseUrl: string | undefined }): string {
  const { host, baseUrl } = reach
  const outside = baseUrl === undefined ? [] : [URL.parse(baseUrl)?.hostname ?? '']
  return [host, ...outside].every(isLoopbackAlone) ? ownMachine : ''
}

/** Not 0.0.0.0 and ::, which listen everywhere. */
function isLoopbackAlone(name: string): boolean {
  const host = canonicalHost(name)
  return host !== undefined && isLoopback(host)
}
