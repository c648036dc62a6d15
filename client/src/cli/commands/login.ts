import { ApiError } from '../../errors.ts'
import { Spool } from '../../spool.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { textFlag } from '../arguments/flag.ts'
import { profileName, serviceAddress, usualBaseUrl } from '../session/choose-access.ts'
import { CommandError, UsageError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import { readProfiles, writeProfiles } from '../session/profiles.ts'
import type { Session } from '../session/session.ts'
import { ask, readFirstLine } from '../session/ask.ts'

export const login: Command = {
  name: 'login',
  summary: 'Keep the address of a service and a key for it, so that no other command needs them',
  about: [
    'Asks for both on a terminal. In a script, give the address with --base-url and the key on standard input; a key in --api-key can be seen by other programs on this machine.',
    'The key is tried, then kept in a file that only you can read.',
  ],
  flags: [textFlag('api-key', 'KEY', 'The key, instead of asking for it')],
  examples: {
    'Be asked for the address and the key': 'spool login',
    'In a script': 'printenv KEY | spool login --base-url https://video.example.com',
    'A second service': 'spool login --profile staging',
  },
  run: logIn,
}

async function logIn(given: Typed, session: Session): Promise<void> {
  const { common, screen, surroundings, profilesFile } = session
  const name = profileName(surroundings.env, common.profile)
  const profiles = await readProfiles(profilesFile)
  const baseUrl = await askBaseUrl(session, profiles[name]?.baseUrl ?? usualBaseUrl)
  warnOfPlainHttp(baseUrl, session)
  const apiKey = given.text('api-key') ?? (await askKey(session))
  if (apiKey.trim() === '') throw new UsageError('No key was given.')
  const profile = await tryKey(apiKey.trim(), baseUrl, session)
  await writeProfiles(profilesFile, { ...profiles, [name]: profile })
  if (common.json) screen.printJson({ profile: name, baseUrl: profile.baseUrl, file: profilesFile })
  else {
    const as = name === 'default' ? '' : ` as profile ${name}`
    screen.note(`${screen.mark('good')} Logged in to ${profile.baseUrl}${as}.`)
    screen.note(screen.notePaint.dim(`The key is in ${profilesFile}.`))
  }
  if (surroundings.env['SPOOL_API_KEY']) {
    screen.note('SPOOL_API_KEY is set, and comes first while it is.')
  }
}

async function askBaseUrl(session: Session, usual: string): Promise<string> {
  const { common, surroundings, isInteractive } = session
  const given = common.baseUrl ?? surroundings.env['SPOOL_BASE_URL']
  if (given) return serviceAddress(given)
  if (!isInteractive) return usual
  const answer = await ask(surroundings, `Address of the service [${usual}]: `)
  return serviceAddress(answer.trim() === '' ? usual : answer.trim())
}

async function askKey(session: Session): Promise<string> {
  const { surroundings, isInteractive } = session
  if (isInteractive) return ask(surroundings, 'API key: ', { isHidden: true })
  if (surroundings.stdin.isTTY) {
    throw new UsageError('There is no key on standard input.', ['Give it with --api-key.'])
  }
  return readFirstLine(surroundings.stdin)
}

function warnOfPlainHttp(baseUrl: string, { screen }: Session): void {
  const isHere = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(baseUrl)
  if (/^http:\/\//i.test(baseUrl) && !isHere) {
    const { yellow } = screen.notePaint
    screen.warn(
      `${yellow('warning:')} ${baseUrl} is not encrypted; anybody on the way sees the key.`,
    )
  }
}

/** One request tells whether there is a Spool service, and whether it knows the key. */
async function tryKey(apiKey: string, baseUrl: string, { signal, screen, common }: Session) {
  const spool = new Spool({ apiKey, baseUrl, maxRetries: 1 })
  try {
    await spool.videos.list({ limit: 1 }, { signal }).page()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) {
      const at = `${baseUrl} does not know this key.`
      throw new CommandError(at, exitCodes.notAllowed, ['Nothing was kept.'])
    }
    // The key is valid, but may not read videos.
    if (error.status !== 403) throw error
    if (!common.json) screen.note('This key may not read videos, so most commands will be refused.')
  }
  return { apiKey, baseUrl }
}
