import { networkInterfaces } from 'node:os'
import { parseOwnHosts, type OwnService } from '../../../worker/contract/addresses/own-service.ts'
import type { MediaSettings } from '../../settings/settings.ts'

/** Reads the addresses of this machine again for each job, because networks change. */
export function ownService(
  reportsUrl: string,
  { OWN_PORTS: ports }: Pick<MediaSettings, 'OWN_PORTS'>,
): OwnService {
  const { origin } = new URL(reportsUrl)
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const hosts = parseOwnHosts(addresses.map(({ address }) => address.replace(/%.*$/, '')).join())
  return { origins: [origin], files: origin, ports, hosts }
}
