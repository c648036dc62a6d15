import type { Choices } from './new-video/request/build-request.ts'

/** The request as a file of JSON. */
export function asJson(request: Readonly<Choices>): string {
  return JSON.stringify(request, null, 2)
}

/** The request as a command that works as written once the key is set. */
export function asCurl(request: Readonly<Choices>, baseUrl: string): string {
  return [
    `curl -X POST "${baseUrl}/v1/videos"`,
    '-H "Authorization: Bearer $SPOOL_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${asJson(request).replaceAll("'", String.raw`'\''`)}'`,
  ].join(' \\\n  ')
}

/** A first request for a new key: the clip that every service has, made vertical with captions. */
export function firstCommand(clip: string, baseUrl: string, apiKey: string): string {
  return `curl "${baseUrl}/v1/videos" \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{"fileUrl": "${clip}", "aspectRatio": "9:16", "captions": {}}'`
}

/** The request as a program for Node, without any library. */
export function asTypeScript(request: Readonly<Choices>, baseUrl: string): string {
  return `const answer = await fetch(${JSON.stringify(`${baseUrl}/v1/videos`)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.SPOOL_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${asLiteral(request)}),
})
if (!answer.ok) throw new Error(await answer.text())
const { videoId } = (await answer.json()) as { videoId: string }`
}

/** The request as an object literal: names have no quotes where they need none. */
function asLiteral(request: Readonly<Choices>): string {
  return asJson(request)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll('\n', '\n  ')
}
