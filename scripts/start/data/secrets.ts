import { z } from 'zod'
import { randomBase62 } from '../../../worker/contract/ids.ts'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import { readJson, writeJson } from '../../machine/write-file.ts'
import { existsSync } from 'node:fs'

const secrets = z.object({
  spoolSecret: z.string().min(32),
  adminSecret: z.string().min(32),
  mediaWorkerToken: z.string().min(32),
  /** The credentials of the local bucket. */
  s3AccessKeyId: z.string().min(16),
  s3SecretAccessKey: z.string().min(32),
})
export type Secrets = z.infer<typeof secrets>

export function readSecrets(file: string): Secrets | undefined {
  return secrets.safeParse(readJson(file)).data
}

/** Makes the secrets once, so that links and keys signed before a restart stay valid. */
export function ensureSecrets(file: string): Secrets {
  const kept = readSecrets(file)
  if (kept) return kept
  if (existsSync(file)) {
    throw new StopWithMessage(
      `${file} cannot be read as secrets. Restore it, or remove it to make new ones: earlier links then stop working.`,
    )
  }
  const fresh: Secrets = {
    spoolSecret: randomBase62(43),
    adminSecret: randomBase62(43),
    mediaWorkerToken: randomBase62(43),
    s3AccessKeyId: randomBase62(20),
    s3SecretAccessKey: randomBase62(43),
  }
  writeJson(file, fresh, 0o600)
  return fresh
}
