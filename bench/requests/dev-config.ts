import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type DevConfig = {
  /** The wrangler.toml to be run; every path in it is meant from its own folder. */
  source: string
  /** Where wrangler shall find the copy, and may put what it builds. */
  folder: string
  /** Another entry than the one it names. */
  main?: string
}

const pathSettings = /^(main|migrations_dir|image|directory)(\s*=\s*)"([^"]+)"$/gm

/** Copies the configuration, so that nothing is built beside the original. */
export function writeDevConfig({ source, folder, main }: DevConfig): string {
  const text = readFileSync(source, 'utf8').replace(
    pathSettings,
    (_, name: string, equals: string, value: string) => {
      const target = name === 'main' && main !== undefined ? main : value
      return `${name}${equals}${JSON.stringify(path.resolve(path.dirname(source), target))}`
    },
  )
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'wrangler.toml')
  writeFileSync(file, text)
  return file
}
