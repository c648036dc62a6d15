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

A file of this machine can be given as well: serve its folder (python3 -m http.server 9000) and use
http://127.0.0.1:9000/talk.mp4. Then ask how it is getting on, with the videoId of the answer:

  curl ${baseUrl}/v1/videos/VIDEO_ID \\
    -H 'Authorization: Bearer ${apiKey}'

Stop with Ctrl-C.
`
}
