import type { AddressPolicy } from '../../contract/addresses/address-faults.ts'
import type { Settings } from '../../settings.ts'

const policies = new WeakMap<Settings, AddressPolicy>()

/** Which addresses a request may name. Of the service's own, only links to files. */
export function addressPolicy(settings: Settings): AddressPolicy {
  const known = policies.get(settings)
  if (known) return known
  const policy = policyOf(settings)
  policies.set(settings, policy)
  return policy
}

function policyOf(settings: Settings): AddressPolicy {
  const { allowedHosts, baseUrl, storageUrl, ownPorts: ports, ownHosts: hosts } = settings
  const origins = [new URL(baseUrl).origin]
  return { allowed: allowedHosts, own: { origins, files: storageUrl, ports, hosts } }
}
