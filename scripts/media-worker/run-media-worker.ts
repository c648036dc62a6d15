import path from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { Writable } from 'node:stream'
import { readCertificate } from '../../containers/settings/certificate.ts'
import {
  loadSettings,
  SettingsError,
  type MediaSettings,
} from '../../containers/settings/settings.ts'
import { settingsReadBy } from '../../worker/contract/settings/table.ts'
import { root } from '../machine/checkout.ts'
import { ensureFfmpeg } from '../machine/ensure-ffmpeg.ts'
import { ensureFonts } from '../machine/ensure-fonts.ts'
import { machineVariables } from '../machine/machine-variables.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { makeFolder } from '../machine/write-file.ts'
import { isLoopbackName } from '../../worker/contract/addresses/public-url.ts'
import { mediaWorkerEntry } from '../start/parts/media-part.ts'
import { withoutSecrets } from '../start/parts/part-environments.ts'
import type { Setting } from '../../worker/contract/settings/setting.ts'
import { settingLines, shownFallback } from '../docs/settings-tables.ts'

/** Runs one media worker until it is stopped; returns its exit code. */
export async function runMediaWorker(
  [argument]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(helpText())
    return 0
  }
  if (argument !== undefined) {
    const message = `Unknown argument ${argument}; settings come from the environment. --help lists them.`
    throw new StopWithMessage(message, 2)
  }
  const settings = checked(env)
  // The log of the media worker has stdout for itself.
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  await ensureFfmpeg(say, settings.SPOOL_DATA_DIR === undefined ? [] : [settings.SPOOL_DATA_DIR])
  ensureFonts(say)
  if (isLoopbackName(settings.MEDIA_HOST)) {
    say(
      `It listens on ${settings.MEDIA_HOST}, where no other machine reaches it: set MEDIA_HOST, or put a proxy in front.`,
    )
  }
  return run(env)
}

/** Complains here, where a person reads it, and not as an exit code of a child. */
function checked(env: NodeJS.ProcessEnv): MediaSettings {
  try {
    const settings = loadSettings(env)
    readCertificate(settings)
    makeFolder(settings.SPOOL_WORK_DIR, `SPOOL_WORK_DIR=${settings.SPOOL_WORK_DIR}`)
    return settings
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const message = `The media worker cannot start: ${error.message}\nnpm run media-worker -- --help lists its settings.`
    throw new StopWithMessage(message, 2, { cause: error })
  }
}

/** As `npm start` does it: secrets come through a descriptor, so that no environment of the media worker has them. */
async function run(env: NodeJS.ProcessEnv): Promise<number> {
  const given = settingsReadBy('media').flatMap(([name]) =>
    env[name] === undefined ? [] : [[name, env[name]] as const],
  )
  const { open, secrets } = withoutSecrets(Object.fromEntries(given))
  const child = spawn(process.execPath, [path.join(root, mediaWorkerEntry)], {
    cwd: root,
    env: { ...machineVariables(), ...open, MEDIA_SECRETS_FD: '3' },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill(signal))
  }
  // Closing the terminal means the same as Ctrl-C, and so does the end of the launcher.
  for (const event of ['SIGHUP', 'disconnect']) process.on(event, () => child.kill('SIGINT'))
  const ended = once(child, 'exit')
  const channel = child.stdio[3]
  if (!(channel instanceof Writable)) throw new Error('There is no descriptor for the secrets')
  channel.end(secrets)
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL']
}

/** These are for a media worker beside its service. */
const beside = ['SPOOL_DATA_DIR', 'LOG_PROGRESS', 'OWN_PORTS']

export function helpText(): string {
  const settings = settingsReadBy('media').filter(([name]) => !beside.includes(name))
  return `Usage: MEDIA_WORKER_TOKEN=… MEDIA_HOST=10.0.0.7 npm run media-worker

Runs one media worker for a service on another machine, which names its address in MEDIA_WORKER_URLS: docs/operators/media-workers.md.
It installs what is missing, ffmpeg included. Its log is one JSON object a line. SIGTERM lets it finish jobs that end
within STOP_GRACE_SECONDS and hands the others back; Ctrl-C hands back all of them.

Settings, all from the environment:

${settingLines(settings, fallbackHere)}
`
}

/** Some settings have another default in `npm start`, which it passes to its own media workers. */
function fallbackHere(setting: Setting): string {
  if (setting.neededBy?.includes('media')) return 'required'
  return setting.fallback === '' ? 'none' : shownFallback(setting)
}
