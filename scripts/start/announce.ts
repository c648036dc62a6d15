import type { DevFile } from './dev-file.ts'

/** The last thing printed: all that is needed for a first request. */
export function announcement(service: DevFile, dataDirectory: string): string {
  const { baseUrl, apiKey } = service
  return `
Spool is running.

  Base URL   ${baseUrl}
  API key    ${apiKey}
  Docs       ${baseUrl}/docs
  Data       ${dataDirectory}

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
