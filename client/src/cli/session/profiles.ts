import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { CommandError } from './command-error.ts'
import { exitCodes } from './exit-code.ts'
import type { Surroundings } from './surroundings.ts'

/** One service and a key for it. */
export type Profile = { baseUrl: string; apiKey: string }

type StoredProfiles = { profiles: Record<string, Profile> }

/** Where `spool login` keeps keys: in the user's settings folder of the system. */
export function profilesFile({
  env,
  platform,
  homeFolder,
}: Pick<Surroundings, 'env' | 'platform' | 'homeFolder'>): string {
  const given = env['XDG_CONFIG_HOME']
  // The specification says to ignore relative paths.
  if (given && path.isAbsolute(given)) return path.join(given, 'spool', 'credentials.json')
  const appData = platform === 'win32' ? env['APPDATA'] : undefined
  return path.join(appData ?? path.join(homeFolder, '.config'), 'spool', 'credentials.json')
}

export async function readProfiles(file: string): Promise<Record<string, Profile>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new CommandError(`${file} cannot be read: ${error.message}`, exitCodes.localFile)
  })
  if (text === undefined) return {}
  return parseProfiles(text, file)
}

function parseProfiles(text: string, file: string): Record<string, Profile> {
  const profiles = parseJson(text, file)
  const isGood = (one: unknown): one is Profile =>
    typeof one === 'object' &&
    one !== null &&
    typeof (one as Profile).baseUrl === 'string' &&
    typeof (one as Profile).apiKey === 'string'
  const entries = Object.entries(profiles).filter((entry): entry is [string, Profile] =>
    isGood(entry[1]),
  )
  return Object.fromEntries(entries)
}

function parseJson(text: string, file: string): object {
  try {
    const stored = JSON.parse(text) as Partial<StoredProfiles> | null
    return typeof stored?.profiles === 'object' ? (stored.profiles ?? {}) : {}
  } catch {
    throw new CommandError(`${file} is not valid JSON.`, exitCodes.localFile, [
      'Delete it, and run `spool login` again.',
    ])
  }
}

/** Only the person may read the file. It is replaced as a whole, so that an interruption leaves the former one. */
export async function writeProfiles(
  file: string,
  profiles: Record<string, Profile>,
): Promise<void> {
  if (Object.keys(profiles).length === 0) return rm(file, { force: true })
  const stored: StoredProfiles = { profiles }
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
  // A file that existed keeps its permissions.
  await chmod(draft, 0o600)
  await rename(draft, file)
}
