import { CommandError, UsageError } from './command-error.ts'
import { exitCodes } from './exit-code.ts'
import type { Profile } from './profiles.ts'

const usualProfile = 'default'
/** Where `npm start` of the service listens. */
export const usualBaseUrl = 'http://127.0.0.1:8787'

type AccessChoice = {
  env: Readonly<Record<string, string | undefined>>
  profiles: Readonly<Record<string, Profile>>
  /** What the command line says. */
  profile?: string | undefined
  baseUrl?: string | undefined
}

export type Access = Profile & { from: string }

/**
 * The service to talk to, and the key for it. A key that `login` has kept goes only to the service that it was kept for.
 */
export function chooseAccess({ env, profiles, profile, baseUrl }: AccessChoice): Access {
  const name = profileName(env, profile)
  const kept = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (!kept && name !== usualProfile) throw noSuchProfile(name, Object.keys(profiles))
  const given = baseUrl ?? set(env['SPOOL_BASE_URL'])
  const address = given === undefined ? undefined : serviceAddress(given)
  // A profile that was asked for by name is meant, whatever the environment says.
  const apiKey = profile === undefined ? set(env['SPOOL_API_KEY']) : undefined
  if (apiKey !== undefined) {
    return { apiKey, baseUrl: address ?? kept?.baseUrl ?? usualBaseUrl, from: 'SPOOL_API_KEY' }
  }
  if (!kept) {
    throw new CommandError('You are not logged in.', exitCodes.notAllowed, [
      'Run `spool login`, or set SPOOL_API_KEY and SPOOL_BASE_URL.',
    ])
  }
  if (address !== undefined && !isSameService(address, kept.baseUrl)) {
    throw new CommandError(
      `The key of profile ${name} is for ${kept.baseUrl}, not for ${address}.`,
      exitCodes.notAllowed,
      ['Run `spool login` for that service with another --profile, or set SPOOL_API_KEY.'],
    )
  }
  return { ...kept, from: `profile ${name}` }
}

/** `localhost:8787` and `video.example.com`, too. Only a service of this machine is meant without encryption. */
export function serviceAddress(text: string): string {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/i.test(text)
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isHere ? 'http' : 'https'}://${text}`
  if (/^https?:$/.test(protocolOf(whole))) return whole.replace(/\/+$/, '')
  throw new UsageError(`The address of a service cannot be "${text}".`, [
    'An example: https://video.example.com',
  ])
}

function protocolOf(address: string): string {
  try {
    return new URL(address).protocol
  } catch {
    // Not an address; the caller says what one looks like.
    return ''
  }
}

export function profileName(env: AccessChoice['env'], given: string | undefined): string {
  const name = given ?? set(env['SPOOL_PROFILE']) ?? usualProfile
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new UsageError(`A profile is named with letters, digits, dots and dashes, not "${name}".`)
  }
  return name
}

function noSuchProfile(name: string, known: readonly string[]): CommandError {
  const others = known.length > 0 ? ` There are: ${known.join(', ')}.` : ''
  return new CommandError(`There is no profile ${name}.${others}`, exitCodes.notAllowed, [
    `Make it with \`spool login --profile ${name}\`.`,
  ])
}

function isSameService(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '')
}

function set(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
