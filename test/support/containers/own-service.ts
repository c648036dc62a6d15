import type { OwnService } from '../../../worker/contract/addresses/own-service.ts'

/** A service that answers at this origin, beside the ports that are named. */
export function ownService(origin: string, ports: readonly number[] = []): OwnService {
  return { origins: [origin], files: origin, ports: new Set(ports), hosts: new Set() }
}
