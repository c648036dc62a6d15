import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { OutputKind } from '../../../worker/contract/job/media-job.ts'
import type { Receiver } from './receiver.ts'
import { aServiceForAll, runJob } from './service-for-all.ts'
import { aFolder } from './tool-context.ts'

/** What a media worker has made of a job, and its files. */
type MadeFiles = {
  readonly end: Awaited<ReturnType<Receiver['when']>>
  readonly receiver: Receiver
  /** The output of this name, as a file on the disk. */
  readonly file: (name: string) => Promise<string>
  readonly bytes: (name: string) => number
}

/** A media worker for the tests of a file, and a way to have it make the outputs of a job. */
export function useOutputs() {
  const service = aServiceForAll()
  return async (files: readonly string[], options: Record<string, unknown>): Promise<MadeFiles> => {
    const inputs = files.map((file) => service.sources.file(file))
    const asked = { ...options, ...(files.length > 1 && { combine: true }) }
    const more = { title: 'Talk of the town' }
    const { receiver, end } = await runJob(service.worker, { inputs, options: asked, more })
    const told = (name: string) => {
      const one = end.type === 'succeeded' ? end.named?.find((one) => one.name === name) : undefined
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
