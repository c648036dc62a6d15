import { z } from 'zod'
import { readJson, writeJson } from '../machine/write-file.ts'

/** `dev.json`: how programs on this machine find a running service. It exists only while one runs. */
const devFile = z.object({
  baseUrl: z.url(),
  apiKey: z.string(),
  dashboardUrl: z.url().nullable(),
  webhookSecret: z.string(),
  pid: z.int(),
  /** The leader of the Worker's process group. */
  workerPid: z.int(),
  mediaWorkers: z.array(z.object({ pid: z.int(), url: z.url() })),
})
export type DevFile = z.infer<typeof devFile>

export function readDevFile(file: string): DevFile | undefined {
  return devFile.safeParse(readJson(file)).data
}

export function writeDevFile(file: string, content: DevFile): void {
  writeJson(file, content, 0o600)
}
