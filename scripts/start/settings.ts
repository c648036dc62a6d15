import { availableParallelism } from 'node:os'
import path from 'node:path'
import {
  readSetting,
  readSettingsFor,
  textOr,
  type SettingFault,
} from '../../worker/contract/settings/read-settings.ts'
import {
  isSecretSetting,
  operatorSettings,
  type SettingName,
  type ValuesFor,
} from '../../worker/contract/settings/table.ts'
import { root } from '../machine/checkout.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { defaultAllowedHosts, isForItsOwnerAlone, reachOf } from './default-allowed-hosts.ts'
import { mediaFaults } from './remote-media-workers.ts'

/** Texts are checked here and passed on unchanged; the Worker and the media workers parse them themselves. */
type SettingTexts = { readonly [Name in SettingName]?: string } & {
  readonly [Name in 'ALLOW_PRIVATE_HOSTS' | 'RATE_LIMITS' | 'READ_RATE_LIMITS']: string
}

export type Settings = Omit<ValuesFor<'start'>, 'SPOOL_DATA_DIR'> & {
  readonly SPOOL_DATA_DIR: string
  readonly texts: SettingTexts
}

/**
 * On one's own machine nobody else needs protection, and a client that polls must not block its own uploads. An
 * operator who sets RATE_LIMITS gets exactly what a deployed service has with it, for reads too.
 */
const localRateLimits = { RATE_LIMITS: '1000/60,20000/3600', READ_RATE_LIMITS: '6000/60' }

/** Whether nobody has set the limits of requests. */
export function isLocalRateLimit({ texts }: Pick<Settings, 'texts'>): boolean {
  return Object.entries(localRateLimits).every(
    ([name, text]) => texts[name as keyof typeof localRateLimits] === text,
  )
}

/** Here nobody else waits for the machine, and lectures and meetings last hours. */
const localSpeech = { MAX_TRANSCRIPTION_SECONDS: '14400' }

const machine = { cores: availableParallelism() }

/** Reports all faulty variables at once, each with its value and its rule. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = givenTexts(env)
  const faults = operatorSettings.flatMap(([name, setting]): SettingFault[] => {
    const reading = readSetting(setting, given[name], false)
    return 'value' in reading ? [] : reading.rules.map((rule) => ({ name, rule }))
  })
  faults.push(...mailFaults(given), ...providerFaults(given), ...mediaFaults(given))
  const { values } = readSettingsFor('start', given, machine)
  if (!values || faults.length > 0) throw refusal(faults, env)
  const reach = reachOf(values)
  const texts = {
    ...withFallbacks({
      ...localSpeech,
      ...(given['RATE_LIMITS'] === undefined && localRateLimits),
      ...given,
    }),
    ALLOW_PRIVATE_HOSTS: given['ALLOW_PRIVATE_HOSTS'] ?? defaultAllowedHosts(reach),
    SIGN_UP: given['SIGN_UP'] ?? (isForItsOwnerAlone(reach) ? 'open' : 'invited'),
    ...foldersOf(given),
  }
  return { ...values, ...foldersOf(given), texts }
}

/** A mail API is of no use without its key and a sender. */
function mailFaults(given: Readonly<Record<string, string>>): SettingFault[] {
  if (given['MAIL_API_URL'] === undefined) return []
  return ['MAIL_API_KEY', 'MAIL_FROM'].flatMap((name) =>
    given[name] === undefined ? [{ name, rule: 'is required with MAIL_API_URL' }] : [],
  )
}

const keysOf: Readonly<Record<string, readonly string[]>> = {
  openai: ['OPENAI_API_KEY'],
  cloudflare: ['CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN'],
  deepgram: ['DEEPGRAM_API_KEY'],
  assemblyai: ['ASSEMBLYAI_API_KEY'],
}

/** Without its key a provider would fail for every video. Media workers elsewhere have keys of their own. */
function providerFaults(given: Readonly<Record<string, string>>): SettingFault[] {
  if (given['MEDIA_WORKERS'] === '0') return []
  return ['SPEECH_PROVIDER', 'ANALYSIS_PROVIDER'].flatMap((setting) => {
    const provider = given[setting] ?? ''
    const missing = keysOf[provider]?.filter((name) => given[name] === undefined) ?? []
    return missing.map((name) => ({ name, rule: `is required with ${setting}=${provider}` }))
  })
}

/** An empty text counts as absent, except for the list of hosts, where it means none. */
function givenTexts(env: NodeJS.ProcessEnv): Record<string, string> {
  const given: Record<string, string> = {}
  for (const [name] of operatorSettings) {
    const value = env[name]?.trim()
    if (value !== undefined && (value !== '' || name === 'ALLOW_PRIVATE_HOSTS')) given[name] = value
  }
  if (given['MEDIA_WORKER_URLS'] !== undefined) given['MEDIA_WORKERS'] ??= '0'
  return given
}

function withFallbacks(given: Readonly<Record<string, string>>): SettingTexts {
  const texts: Record<string, string> = {}
  for (const [name, setting] of operatorSettings) {
    const text = textOr(given[name], setting, machine)
    if (text !== undefined) texts[name] = text
  }
  // These three settings have fallbacks.
  return texts as SettingTexts
}

/** Folders are relative to the repository, wherever `npm start` was called. */
function foldersOf({
  SPOOL_DATA_DIR = '.spool',
  SPEECH_MODEL_DIR,
}: Readonly<Record<string, string>>) {
  const models =
    SPEECH_MODEL_DIR === undefined ? {} : { SPEECH_MODEL_DIR: path.resolve(root, SPEECH_MODEL_DIR) }
  return { SPOOL_DATA_DIR: path.resolve(root, SPOOL_DATA_DIR), ...models }
}

function refusal(faults: readonly SettingFault[], env: NodeJS.ProcessEnv): StopWithMessage {
  const lines = faults.map(
    ({ name, rule }) =>
      `${name}=${isSecretSetting(name) && env[name] ? '…' : (env[name] ?? '')} ${rule}`,
  )
  return new StopWithMessage(
    [...lines, 'See docs/operators/configuration.md, or npm start -- --help.'].join('\n'),
    2,
  )
}
