import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { ownService } from '../fetch/own-service.ts'
import { fetchInputs } from '../fetch/fetch-inputs.ts'
import { transferDefaults } from '../fetch/transfer-limits.ts'
import { roomLeft } from '../disk-room.ts'
import type { WorkSettings } from '../job-context.ts'

type FetchNamed = {
  readonly files: readonly { readonly name: string; readonly url: string }[]
  readonly folder: string
  readonly settings: WorkSettings
  /** The address of the service, to which no file may lead. */
  readonly reportsUrl: string
  readonly signal: AbortSignal
}

/** Fetches files from the service's storage into a folder, under names that the service has checked. */
export async function fetchNamed(request: FetchNamed): Promise<void> {
  const { files, folder, settings, reportsUrl, signal } = request
  if (files.length === 0) return
  const arriving = path.join(folder, `arriving-${crypto.randomUUID()}`)
  await mkdir(arriving)
  try {
    const scratch = { folder, minFreeBytes: settings.MIN_FREE_BYTES }
    const names = await fetchInputs({
      inputs: files.map(({ name, url }) => ({ field: name, url, origin: 'storage' })),
      folder: arriving,
      signal,
      limits: {
        ...transferDefaults,
        allowedHosts: settings.ALLOW_PRIVATE_HOSTS,
        own: ownService(reportsUrl, settings),
        maxSourceBytes: settings.MAX_OUTPUT_BYTES + settings.MAX_SOURCE_BYTES,
        maxJobInputBytes: settings.MAX_OUTPUT_BYTES + settings.MAX_JOB_INPUT_BYTES,
        roomBytes: await roomLeft(scratch),
      },
      onProgress: () => undefined,
    })
    for (const [i, { name }] of files.entries()) {
      const file = path.join(folder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await rename(path.join(arriving, names[i] ?? ''), file)
    }
  } finally {
    await rm(arriving, { recursive: true, force: true })
  }
}
