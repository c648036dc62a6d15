import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OutputKind } from '../../../worker/contract/job/media-job.ts'
import type { Receiver } from './receiver.ts'
import { aServiceForAll, runJob, succeed } from './service-for-all.ts'
import { aFolder } from './tool-context.ts'

/** What a media worker has made of a job, and its files. */
type MadeFiles = Awaited<ReturnType<typeof succeed>> & {
  /** The output of this name, as a file on the disk. */
  readonly file: (name: string) => Promise<string>
  readonly bytes: (name: string) => number
}

/** A media worker for the tests of a file, which makes the outputs of a job, or says why it cannot. */
export function useOutputs() {
  const service = aServiceForAll()
  const jobOf = (files: readonly string[], options: Record<string, unknown>) => {
    const inputs = files.map((file) => service.sources.file(file))
    const asked = { ...options, ...(files.length > 1 && { combine: true }) }
    return { inputs, options: asked, more: { title: 'Talk of the town' } }
  }
  const made = async (...job: Parameters<typeof jobOf>): Promise<MadeFiles> => {
    const { receiver, end } = await succeed(service.worker, jobOf(...job))
    const told = (name: string) => {
      const one = end.named?.find((one) => one.name === name)
      if (!one) throw new Error(`No output ${name}: ${JSON.stringify(end).slice(0, 1000)}`)
      return one
    }
    return {
      ...{ end, receiver },
      file: async (name) => {
        const { kind, format } = told(name)
        return savedOutput(receiver, kind, format)
      },
      bytes: (name) => receiver.output(told(name).kind).byteLength,
    }
  }
  const failed = async (...job: Parameters<typeof jobOf>) =>
    (await runJob(service.worker, jobOf(...job))).end
  return { made, failed }
}

export async function savedOutput(
  receiver: Receiver,
  kind: OutputKind,
  extension: string,
): Promise<string> {
  const file = path.join(await aFolder(), `result.${extension}`)
  await writeFile(file, receiver.output(kind))
  return file
}
