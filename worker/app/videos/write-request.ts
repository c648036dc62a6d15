import { createVideo } from '../../contract/create-video.ts'
import { processingOptions } from '../../contract/options.ts'
import type { VideoRecord } from '../../contract/video-record.ts'

/** The request that would make the video of a record once more: what it was given, without what stands for itself. */
export function requestOf(record: VideoRecord): Record<string, unknown> {
  const told: Readonly<Record<string, unknown>> = record
  const { videoName, ...rest } = createVideo.shape
  const source = ['fileUrl', 'files', 'uploadId', 'combine']
  const names = [...source, ...Object.keys({ videoName }), ...Object.keys(rest)]
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => {
      const value = told[name]
      return value === undefined || isDefault(name, value) ? [] : [[name, value]]
    }),
  )
}

function isDefault(name: string, value: unknown): boolean {
  const option = Object.entries(processingOptions).find(([known]) => known === name)?.[1]
  const fallback: unknown = option?.safeParse(undefined).data
  return fallback !== undefined && fallback === value
}

export function asCurl(baseUrl: string, request: object): string {
  const json = JSON.stringify(request, null, 2)
  return [
    `curl "${baseUrl}/v1/videos"`,
    '-H "Authorization: Bearer $SPOOL_API_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${json.replaceAll("'", `'\\''`)}'`,
  ].join(' \\\n  ')
}

export function asTypeScript(baseUrl: string, request: object): string {
  return `const response = await fetch(${JSON.stringify(`${baseUrl}/v1/videos`)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.SPOOL_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(JSON.stringify(request, null, 2))}),
})
if (!response.ok) throw new Error(await response.text())
const { videoId } = (await response.json()) as { videoId: string }`
}

/** JSON is TypeScript; the names of its fields need no quotes. */
function indented(json: string): string {
  return json.replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:').replaceAll('\n', '\n  ')
}
