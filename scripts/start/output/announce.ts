import {
  describeRateLimits,
  parseOptionalRateLimits,
  parseRateLimits,
} from '../../../worker/contract/rate-windows.ts'
import { serviceVersion } from '../../../worker/contract/service-version.ts'
import { callAdmin, type AdminTarget } from '../../admin/call-admin.ts'
import type { DevFile } from '../dev-file.ts'
import type { News } from './news.ts'
import type { ServiceRun } from '../run.ts'
import type { Settings } from '../settings.ts'

type Published = Pick<DevFile, 'baseUrl' | 'apiKey'>

/** What is told when everything runs. Links and keys are for the person at the terminal: a journal would keep them. */
export async function announcement(
  published: Published,
  run: ServiceRun,
  target: AdminTarget,
  accountId: string,
): Promise<News> {
  const { data, settings } = run
  const baseUrl = settings.BASE_URL ?? published.baseUrl
  const fields = {
    version: serviceVersion,
    baseUrl,
    listensOn: published.baseUrl,
    dashboardUrl: `${baseUrl}/app`,
    dataDirectory: data.base,
    mediaWorkers: settings.MEDIA_WORKERS,
  }
  if (!run.tellsSecrets) {
    return { event: 'ready', text: forJournal(published, run, accountId), fields }
  }
  const { url } = await callAdmin(target, { command: 'people.link', accountId })
  return { event: 'ready', text: forPerson(published, run, url), fields }
}

function forPerson(published: Published, run: ServiceRun, ownerLink: string): string {
  const { baseUrl, apiKey } = published
  // What a request names is read by the service, which knows itself by the address of its clients.
  const clip = `${run.settings.BASE_URL ?? baseUrl}/docs/examples/speech.mp4`
  return `
Spool is running. This link signs you in to its dashboard, once:

  ${ownerLink}

${facts(published, run, [['API key', apiKey]])}

Make a vertical video with captions from a clip that the service itself has:

  curl ${baseUrl}/v1/videos \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{ "fileUrl": "${clip}", "aspectRatio": "9:16", "captions": { "style": "karaoke" } }'

or from a file:

  curl -O ${baseUrl}/docs/examples/speech.mp4
  curl ${baseUrl}/v1/videos/upload \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -F file=@speech.mp4 -F aspectRatio=9:16

Then see how the newest one is getting on; its finalVideoUrl is the result:

  curl '${baseUrl}/v1/videos?limit=1' \\
    -H 'Authorization: Bearer ${apiKey}'

Stop with Ctrl-C.
`
}

function forJournal(published: Published, run: ServiceRun, accountId: string): string {
  return `
Spool is running.

${facts(published, run, [['API key', `in ${run.data.localAccount}`]])}

A link that signs you in to the dashboard, once:

  npm run admin -- people link --account ${accountId}
`
}

type Fact = readonly [name: string, text: string]

function facts({ baseUrl }: Published, run: ServiceRun, own: readonly Fact[]): string {
  const { mode, data, ports, settings } = run
  const { BASE_URL } = settings
  const list: Fact[] = [
    ['Base URL', BASE_URL ?? baseUrl],
    ...(BASE_URL === undefined ? [] : [['Listens on', baseUrl] as const]),
    ...own,
    ['Docs', `${BASE_URL ?? baseUrl}/docs`],
    ['Data', data.base],
    ['Limits', describeLimits(settings.texts)],
    ...(mode === 'dev'
      ? ([
          ['Debugger', `127.0.0.1:${ports.inspector}`],
          ['Sources', 'worker/ is bundled again whenever a file in it changes'],
        ] as const)
      : []),
  ]
  return list.map(([name, text]) => `  ${name.padEnd(11)}${text}`).join('\n')
}

/** The limits of one key: `1,000 requests a minute and 20,000 an hour, and 6,000 a minute for reading`. */
function describeLimits({ RATE_LIMITS, READ_RATE_LIMITS }: Settings['texts']): string {
  const [first = '', ...rest] = describeRateLimits(parseRateLimits(RATE_LIMITS)).split(' ')
  const requests = [first, 'requests', ...rest].join(' ')
  const reads = parseOptionalRateLimits(READ_RATE_LIMITS)
  return reads
    ? `${requests}; reading apart, ${describeRateLimits(reads)}`
    : `${requests}, reading included`
}
