import type { SettingFault } from '../../worker/contract/settings/read-settings.ts'
import { isLoopbackName } from '../../worker/contract/addresses/public-url.ts'

type Addresses = {
  readonly texts: { readonly MEDIA_WORKER_URLS?: string }
  readonly BASE_URL?: string | undefined
  readonly REPORT_URL?: string | undefined
}

/** Which media workers run the jobs, and how those on other machines reach the service. */
export function mediaFaults(given: Readonly<Record<string, string>>): SettingFault[] {
  const { MEDIA_WORKER_URLS: urls, MEDIA_WORKERS, MEDIA_WORKER_TOKEN: token } = given
  const faults: SettingFault[] = []
  if (urls === undefined && MEDIA_WORKERS === '0') {
    const rule = 'needs MEDIA_WORKER_URLS: without a media worker no job would ever end'
    faults.push({ name: 'MEDIA_WORKERS', rule })
  }
  const service = given['REPORT_URL'] ?? given['BASE_URL'] ?? ''
  if (urls !== undefined && farHosts(urls).length > 0 && farHosts(service).length === 0) {
    const rule =
      'needs BASE_URL or REPORT_URL: the address at which those machines reach this service'
    faults.push({ name: 'MEDIA_WORKER_URLS', rule })
  }
  // These have a meaning in the file that passes the token to the Worker.
  if (token !== undefined && /["'$\\]/.test(token)) {
    faults.push({ name: 'MEDIA_WORKER_TOKEN', rule: 'must not contain a quote, $ or \\' })
  }
  return faults
}

/** What an operator should know before jobs cross a network: they contain addresses that need no further password. */
export function mediaWarnings({ texts, BASE_URL, REPORT_URL }: Addresses): string[] {
  const { MEDIA_WORKER_URLS: urls = '' } = texts
  if (farHosts(urls).length === 0) return []
  const named = [...urls.split(','), REPORT_URL ?? BASE_URL ?? ''].map((url) => url.trim())
  const plain = named.filter((url) => url.startsWith('http:') && farHosts(url).length > 0)
  return plain.map(
    (url) =>
      `Warning: ${url} is not encrypted. Everybody on the way can read and replace videos; use https, or a private ` +
      'network that encrypts.',
  )
}

/** The hosts of these addresses that are not this machine. */
function farHosts(urls: string): string[] {
  const hosts = urls.split(',').flatMap((url) => URL.parse(url.trim())?.hostname ?? [])
  return hosts.filter((host) => !isLoopbackName(host))
}
