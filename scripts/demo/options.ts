import path from 'node:path'
import { readOptions } from '../machine/read-options.ts'
import { UsageError } from '../machine/stop-with-message.ts'

export type DemoOptions = {
  out: string
  /** A service that runs already; undefined starts one. */
  service: { baseUrl: string; apiKey: string } | undefined
}

const usualFolder = '.spool/demo'

const help = `Usage: npm run demo -- [options]

Makes a clip with speech, pauses and hum, sends it through Spool in three ways, checks the signed webhook, and leaves a page
that shows before and after: players, waveforms, loudness, the transcript with what was cut. Open it in a browser.

Starts a service of its own on a free port, with its own data, and stops it at the end. Takes about a minute.

  --out DIR      where the page and its media go (default: ${usualFolder})
  --service URL  use the service at this address, with the key in SPOOL_API_KEY
  --help         show this

Exit code 0 when the page is there, 1 when something failed, 2 for a mistake in the options, 130 when stopped.
`

/** The options of a command line, or the help that it asks for. */
export function readDemoOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): DemoOptions | { help: string } {
  const options = {
    out: { type: 'string' },
    service: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values } = readOptions(args, { options }, 'npm run demo -- --help lists the options.')
  if (values.help) return { help }
  const out = path.resolve(values.out ?? usualFolder)
  if (values.service === undefined) return { out, service: undefined }
  const apiKey = env['SPOOL_API_KEY']
  if (!apiKey) throw new UsageError('--service needs the key of that service in SPOOL_API_KEY.')
  const address = URL.parse(values.service)
  if (!address || !/^https?:$/.test(address.protocol)) {
    throw new UsageError(`--service ${values.service} is not an http or https address.`)
  }
  return { out, service: { baseUrl: values.service, apiKey } }
}
