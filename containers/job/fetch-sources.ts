import { statfs } from 'node:fs/promises'
import { progressOf, type JobContext } from './job-context.ts'
import { fetchInputs, transferDefaults } from './transfer.ts'

/** Brings all inputs of the job into its folder; returns their names there. */
export async function fetchSources(context: JobContext): Promise<string[]> {
  const { job, settings, signal, tools } = context
  return fetchInputs({
    inputs: job.inputs,
    folder: tools.folder,
    signal,
    limits: {
      ...transferDefaults,
      allowedHosts: settings.ALLOW_PRIVATE_HOSTS,
      maxSourceBytes: settings.MAX_SOURCE_BYTES,
      maxJobInputBytes: settings.MAX_JOB_INPUT_BYTES,
      roomBytes: await roomBytes(tools.folder),
    },
    onProgress: progressOf(context, 'fetching'),
  })
}

/** Four fifths of the free disk, for inputs and output together. */
async function roomBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor(bavail * bsize * 0.8)
}
