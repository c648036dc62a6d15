import {
  describeRateLimits,
  parseOptionalRateLimits,
  parseRateLimits,
} from '../../worker/contract/rate-windows.ts'
import type { DevFile } from './dev-file.ts'
import type { Run } from './run.ts'
import type { Settings } from './settings.ts'

/** The last text printed: the way in for a person, and everything that a first request needs. */
export function announcement(
  { baseUrl, apiKey }: DevFile,
  { mode, data, ports, settings }: Run,
  ownerLink: string,
): string {
  const debugging =
    mode === 'dev'
      ? `
  Debugger   127.0.0.1:${ports.inspector}
  Sources    worker/ is bundled again whenever a file in it changes
`
      : ''
  return `
Spool is running. This link signs you in to its dashboard, once:

  ${ownerLink}

  Base URL   ${baseUrl}
  API key    ${apiKey}
  Docs       ${baseUrl}/docs
  Data       ${data.base}
  Limits     ${describeLimits(settings.texts)}
${debugging}
Give it a video:

  curl ${baseUrl}/v1/videos \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{ "fileUrl": "https://example.com/talk.mp4", "aspectRatio": "9:16" }'

or a file of this machine:

  curl ${baseUrl}/v1/videos/upload \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -F file=@talk.mp4 -F aspectRatio=9:16

Then ask how it is getting on, with the videoId of the answer:

  curl ${baseUrl}/v1/videos/VIDEO_ID \\
    -H 'Authorization: Bearer ${apiKey}'

Stop with Ctrl-C.
`
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
