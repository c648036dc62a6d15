import { describeRateLimits, parseRateLimits } from '../../worker/contract/rate-windows.ts'
import { settingsTable } from '../../worker/contract/settings/table.ts'
import { isForItsOwnerAlone, reachOf } from './default-allowed-hosts.ts'
import { baseUrlOf } from './parts/part-environments.ts'
import { isLocalRateLimit, type Settings } from './settings.ts'

/**
 * Each setting that nobody has set although others can reach the service, and that suits a laptop only: what it means for
 * them, and how to change it.
 */
export function laptopDefaults(settings: Settings): string[] {
  if (isForItsOwnerAlone(reachOf(settings))) return []
  return [
    ...addressFaults(settings),
    ...proxyFaults(settings),
    ...(isLocalRateLimit(settings) ? [rateLimitFault(settings)] : []),
    ...(settings.texts.MAIL_API_URL === undefined ? [mailFault] : []),
  ].map((fault) => `Warning: others can reach this service, but ${fault}`)
}

function addressFaults(settings: Settings): string[] {
  const { BASE_URL } = settings
  const given = BASE_URL ?? baseUrlOf(settings)
  const isEverywhere = ['0.0.0.0', '::'].includes(settings.HOST)
  return [
    ...(BASE_URL === undefined && isEverywhere
      ? [
          `BASE_URL is not set: links, mails and webhooks begin with ${given}, which leads nowhere for them. Set BASE_URL to the address that clients use.`,
        ]
      : []),
    ...(given.startsWith('http:')
      ? [
          'nothing is encrypted: everybody on the way can read keys, passwords and videos. Put a proxy with a certificate in front (docs/operators/self-hosting.md), and set BASE_URL=https://….',
        ]
      : []),
  ]
}

/** Without this, limits for each network would count all clients as one. */
function proxyFaults({ BASE_URL, texts }: Settings): string[] {
  if (BASE_URL === undefined || texts.TRUSTED_PROXIES !== '') return []
  return [
    'TRUSTED_PROXIES is not set: if a proxy is in front, all clients seem to have its address, for limits and in the log. Set TRUSTED_PROXIES to the address of the proxy.',
  ]
}

function rateLimitFault({ texts }: Settings): string {
  const limits = describeRateLimits(parseRateLimits(texts.RATE_LIMITS))
  return `RATE_LIMITS is not set: the requests of a key are limited to ${limits}, as on a laptop. Set RATE_LIMITS; a deployed service has ${settingsTable.RATE_LIMITS.fallback}.`
}

const mailFault =
  'MAIL_API_URL is not set: invitations and links for new passwords are printed here and not sent. Set MAIL_API_URL, MAIL_API_KEY and MAIL_FROM.'
