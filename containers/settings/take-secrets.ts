import { closeSync, readFileSync } from 'node:fs'
import { mediaSecretNames } from '../../worker/contract/settings/table.ts'
import { SettingsError } from './settings.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Adds the secrets that come through a file descriptor, one `NAME=value` per line, to the settings. A pipe can be read
 * only once, while /proc shows the environment of a process as long as it lives.
 */
export function takeSecrets(env: Environment): Environment {
  const { MEDIA_SECRETS_FD: text = '', ...others } = env
  if (text === '') return env
  if (!/^[3-9]$/.test(text)) throw new SettingsError('MEDIA_SECRETS_FD must be from 3 to 9')
  return { ...others, ...secretsOf(readAll(Number(text))) }
}

function readAll(descriptor: number): string {
  try {
    const text = readFileSync(descriptor, 'utf8')
    closeSync(descriptor)
    return text
  } catch (error) {
    throw new SettingsError(`MEDIA_SECRETS_FD: descriptor ${descriptor} cannot be read`, {
      cause: error,
    })
  }
}

function secretsOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line, i) => {
      const [name = '', value] = splitOnce(line)
      if (!mediaSecretNames.includes(name) || value === undefined) {
        throw new SettingsError(
          `MEDIA_SECRETS_FD: line ${i + 1} is not one of ${mediaSecretNames.join(', ')}, followed by = and its value`,
        )
      }
      return [name, value]
    }),
  )
}

function splitOnce(line: string): [string, string | undefined] {
  const at = line.indexOf('=')
  return at < 0 ? [line, undefined] : [line.slice(0, at), line.slice(at + 1)]
}
