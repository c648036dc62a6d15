import type { FieldFault } from '../answers/errors.ts'
import { limits } from '../limits.ts'
import { urlFault } from '../options/media-url.ts'
import { objectUrl, storagePlace } from '../storages/storage.ts'
import { isOurs, ourSource, type OwnService } from './own-service.ts'
import { hostFault, isAllowedHost, portOf, type AllowedHosts } from './public-url.ts'

export type AddressPolicy = { allowed: AllowedHosts; own: OwnService }

type Role = 'source' | 'webhook'

/**
 * Checks the hosts that a create body names, whether or not the body is valid otherwise. The schema reports malformed
 * addresses.
 */
export function addressFaults(body: unknown, policy: AddressPolicy): FieldFault[] {
  const below = property(property(body, 'waveform'), 'background')
  return [
    ...urlFaults('fileUrl', property(body, 'fileUrl'), 'source', policy),
    ...urlFaults('webhookUrl', property(body, 'webhookUrl'), 'webhook', policy),
    ...listedUrlFaults(body, 'files', limits.files, policy),
    ...listedUrlFaults(body, 'elements', limits.elements, policy),
    ...captionFaults(property(body, 'captions'), policy),
    ...urlFaults('background', property(body, 'background'), 'source', policy),
    ...urlFaults('waveform.background', below, 'source', policy),
  ]
}

/** Faults of the addresses in captions. A font may be a name too; only addresses have hosts. */
function captionFaults(captions: unknown, policy: AddressPolicy): FieldFault[] {
  const url = property(property(captions, 'source'), 'url')
  return [
    ...urlFaults('captions.font', property(captions, 'font'), 'source', policy),
    ...urlFaults('captions.source.url', url, 'source', policy),
  ]
}

/** Checks the host of an address to which webhooks are to be sent. */
export function webhookAddressFaults(
  field: string,
  body: unknown,
  policy: AddressPolicy,
): FieldFault[] {
  return urlFaults(field, property(body, field), 'webhook', policy)
}

function listedUrlFaults(
  body: unknown,
  field: string,
  limit: number,
  policy: AddressPolicy,
): FieldFault[] {
  const entries = property(body, field)
  if (!Array.isArray(entries)) return []
  return entries
    .slice(0, limit + 1)
    .flatMap((entry, i) =>
      ['url', 'font'].flatMap((name) =>
        urlFaults(`${field}[${i}].${name}`, property(entry, name), 'source', policy),
      ),
    )
}

/** The host of an address in a storage is not chosen by the request: it was checked when the storage was saved. */
function urlFaults(field: string, text: unknown, role: Role, policy: AddressPolicy): FieldFault[] {
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

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

/** Checks the hosts at which a storage is asked: that of its endpoint, and that of its bucket. */
export function storageAddressFaults(storage: unknown, policy: AddressPolicy): FieldFault[] {
  const faults = webhookAddressFaults('endpoint', storage, policy)
  const place = storagePlace.safeParse(storage)
  if (faults.length > 0 || !place.success) return faults
  return webhookAddressFaults('endpoint', { endpoint: objectUrl(place.data).origin }, policy)
}
