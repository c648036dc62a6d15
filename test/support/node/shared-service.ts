import { afterAll, beforeAll, inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { callAdmin } from '../../../scripts/admin/call-admin.ts'
import { findService } from '../../../scripts/admin/find-service.ts'
import { scopes } from '../../../worker/contract/people/api-key.ts'
import { ClipServer } from './clip-server.ts'
import type { DevFile } from '../../../scripts/start/dev-file.ts'
import { aPlace, removePlace, RunningService, type Place } from './service.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedService: { place: Place; output: string[]; dev: DevFile }
  }
}

/** Called by vitest before the first journey; what it returns is called after the last. */
export default async function startShared(project: TestProject): Promise<() => Promise<void>> {
  // A slot for each file that runs beside others, and more for the guides, which paste several pages at once.
  const service = await RunningService.start(await aPlace(), {
    RATE_LIMITS: '100000/60',
    MEDIA_SLOTS: '6',
  })
  const { place, output, dev } = service
  project.provide('sharedService', { place, output, dev })
  return async () => {
    await service.stop()
    await removePlace(place)
  }
}

/** The account that `npm start` makes, whose owner is the operator. Only one file may use it. */
export function operatorsService(): RunningService {
  const { place, output, dev } = inject('sharedService')
  return new RunningService(place, undefined, output, dev)
}

/** The service that all journeys share, with an account of the file's own; its link signs the owner in. */
export async function sharedService(): Promise<RunningService> {
  const { place, dev } = inject('sharedService')
  const target = findService(undefined, { SPOOL_DATA_DIR: place.dataDir })
  const { accountId, webhookSecret } = await callAdmin(target, { command: 'accounts.create' })
  const all = [...scopes]
  const { apiKey } = await callAdmin(target, { command: 'keys.create', accountId, scopes: all })
  const { url } = await callAdmin(target, { command: 'people.link', accountId })
  return new RunningService(place, undefined, [url], { ...dev, apiKey, webhookSecret })
}

/** Serves films from the first test of a file to the last. */
export function clipsForAll(): ClipServer {
  const clips = new ClipServer()
  beforeAll(async () => clips.open())
  afterAll(async () => clips.close())
  return clips
}
