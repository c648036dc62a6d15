import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomically } from '../machine/write-file.ts'

type DevConfig = {
  /** The wrangler.toml to run; its paths are relative to its own folder. */
  source: string
  /** Where the copy goes. Wrangler builds next to it. */
  file: string
  /** An entry that replaces the one it names. */
  main?: string
  /** The Dockerfile of the containers that each job gets; without it, media workers are reached over HTTP. */
  dockerfile?: string
  /** The credentials of its bucket's S3 endpoint. */
  s3: { accessKeyId: string; secretAccessKey: string }
}

const pathSettings =
  /^(main|migrations_dir|image|image_build_context|directory)(\s*=\s*)"([^"]+)"$/gm
/** Wrangler joins this one to the folder of its configuration, even if it is absolute. */
const watchedFolder = /^(watch_dir\s*=\s*)"([^"]+)"$/m
const withoutContainers = /^(enable_containers\s*=\s*)false$/m
const firstImage = /^(image\s*=\s*)"[^"]+"$/m
const firstBucket = /^(bucket_name\s*=\s*"[^"]+")$/m

/** Writes a wrangler.toml for one data directory, with absolute paths and the credentials of its bucket. */
export function writeDevConfig({ source, file, main, dockerfile, s3 }: DevConfig): void {
  const { accessKeyId, secretAccessKey } = s3
  const credentials = `{ accessKeyId = "${accessKeyId}", secretAccessKey = "${secretAccessKey}" }`
  const text = readFileSync(source, 'utf8')
    .replace(pathSettings, (_, name: string, equals: string, value: string) => {
      const target = name === 'main' && main !== undefined ? main : value
      return `${name}${equals}${JSON.stringify(path.resolve(path.dirname(source), target))}`
    })
    .replace(watchedFolder, (_, setting: string, value: string) => {
      const watched = path.resolve(path.dirname(source), value)
      return `${setting}${JSON.stringify(path.relative(path.dirname(file), watched))}`
    })
    // The first bucket belongs to the top level, the environment that runs locally.
    .replace(firstBucket, `$1\nlocal_dev = { experimental_s3_credentials = ${credentials} }`)
  if (dockerfile === undefined) {
    writeFileAtomically(file, text, 0o600)
    return
  }
  const image = path.join(path.dirname(file), 'Dockerfile')
  writeFileAtomically(image, dockerfile, 0o600)
  const withContainers = text
    .replace(withoutContainers, '$1true')
    .replace(firstImage, (_, setting: string) => setting + JSON.stringify(image))
  writeFileAtomically(file, withContainers, 0o600)
}
