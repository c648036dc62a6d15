import type { AddressPolicy } from '../contract/public-url.ts'
import type { Settings } from '../settings.ts'

/** Which addresses a request may name: none of our own but links to files. */
export function addressPolicy({ allowedHosts, baseUrl, storageUrl }: Settings): AddressPolicy {
  const fileOrigin = new URL(storageUrl).origin
  return { allowed: allowedHosts, ownOrigins: [new URL(baseUrl).origin, fileOrigin], fileOrigin }
}
