import type { FieldFault } from '../answers/errors.ts'
import { fieldPath } from '../input/field-path.ts'
import { inputAt, type Path } from '../input/schema-at.ts'
import { limits } from '../limits.ts'
import { urlFault } from '../options/media-url.ts'
import { objectUrl, storagePlace } from '../storages/storage.ts'
import { isOurs, ourSource, type OwnService } from './own-service.ts'
import { hostFault, isAllowedHost, portOf, type AllowedHosts } from './public-url.ts'

export type AddressPolicy = { allowed: AllowedHosts; own: OwnService }

/** Where a request names addresses besides those of its sources and elements. A font may be a name there, and a background a colour. */
const beside = [
  ['captions', 'font'],
  ['captions', 'source', 'url'],
  ['color', 'lutUrl'],
  ['audio', 'replaceUrl'],
  ['background'],
  ['waveform', 'background'],
]

/**
 * Checks the hosts that a create body names, whether or not the body is valid otherwise. The schema reports malformed
 * addresses.
 */
export function addressFaults(body: unknown, policy: AddressPolicy): FieldFault[] {
  return [
    ...sourceFaults(body, ['fileUrl'], policy),
    ...webhookAddressFaults('webhookUrl', body, policy),
    ...listedFaults(body, 'files', limits.files, policy),
    ...listedFaults(body, 'elements', limits.elements, policy),
    ...beside.flatMap((path) => sourceFaults(body, path, policy)),
  ]
}

/** Checks the host of an address to which webhooks are to be sent. */
export function webhookAddressFaults(
  field: string,
  body: unknown,
  policy: AddressPolicy,
): FieldFault[] {
  return urlFaults(field, inputAt(body, [field]), 'webhook', policy)
}

function sourceFaults(body: unknown, path: Path, policy: AddressPolicy): FieldFault[] {
  return urlFaults(fieldPath(path), inputAt(body, path), 'source', policy)
}

function listedFaults(
  body: unknown,
  field: 'files' | 'elements',
  most: number,
  policy: AddressPolicy,
): FieldFault[] {
  const entries = inputAt(body, [field])
  if (!Array.isArray(entries)) return []
  return entries
    .slice(0, most + 1)
    .flatMap((_entry, i) =>
      ['url', 'font'].flatMap((name) => sourceFaults(body, [field, i, name], policy)),
    )
}

/** The host of an address in a storage is not chosen by the request: it was checked when the storage was saved. */
function urlFaults(
  field: string,
  text: unknown,
  role: 'source' | 'webhook',
  policy: AddressPolicy,
): FieldFault[] {
  if (typeof text !== 'string' || text.length > limits.urlLength || urlFault(text)) return []
  const url = new URL(text)
  // Media workers fetch these from where they reach the service, so its address may be private or have any port.
  if (role === 'source' && ourSource(url, policy.own)) return []
  const ownFault = isOurs(url, policy.own) ? 'Must not be an address of this service' : undefined
  const messages = [
    hostFault(url, policy.allowed) ?? ownFault,
    role === 'webhook' ? insecureFault(url, policy.allowed) : undefined,
  ]
  return messages.flatMap((message) => (message === undefined ? [] : [{ field, message }]))
}

function insecureFault(url: URL, allowed: AllowedHosts): string | undefined {
  if (url.protocol === 'https:' || isAllowedHost(allowed, url.hostname, portOf(url)))
    return undefined
  return 'Must be an https:// address'
}

/** Checks the hosts at which a storage is asked: that of its endpoint, and that of its bucket. */
export function storageAddressFaults(storage: unknown, policy: AddressPolicy): FieldFault[] {
  const faults = webhookAddressFaults('endpoint', storage, policy)
  const place = storagePlace.safeParse(storage)
  if (faults.length > 0 || !place.success) return faults
  return webhookAddressFaults('endpoint', { endpoint: objectUrl(place.data).origin }, policy)
}
