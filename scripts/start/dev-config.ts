import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomically } from '../machine/write-file.ts'

export type DevConfig = {
  /** The wrangler.toml to be run; every path in it is meant from its own folder. */
  source: string
  /** Where the copy goes. What wrangler builds goes beside it. */
  file: string
  /** Another entry than the one it names. */
  main?: string
  /** For the S3 endpoint of its bucket. */
  s3: { accessKeyId: string; secretAccessKey: string }
}

const pathSettings =
  /^(main|migrations_dir|image|image_build_context|directory)(\s*=\s*)"([^"]+)"$/gm
const firstBucket = /^(bucket_name\s*=\s*"[^"]+")$/m

/** wrangler.toml for one data directory: its paths made whole, and the credentials of its bucket put in. */
export function writeDevConfig({ source, file, main, s3 }: DevConfig): void {
  const { accessKeyId, secretAccessKey } = s3
  const credentials = `{ accessKeyId = "${accessKeyId}", secretAccessKey = "${secretAccessKey}" }`
  const text = readFileSync(source, 'utf8')
    .replace(pathSettings, (_, name: string, equals: string, value: string) => {
      const target = name === 'main' && main !== undefined ? main : value
      return `${name}${equals}${JSON.stringify(path.resolve(path.dirname(source), target))}`
    })
    // The first bucket is the top level's: that is the environment which runs locally.
    .replace(firstBucket, `$1\nlocal_dev = { experimental_s3_credentials = ${credentials} }`)
  writeFileAtomically(file, text, 0o600)
}
