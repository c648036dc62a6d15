import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { createVideo, sourceFields } from '../../../contract/options/create-video.ts'
import { processingOptions } from '../../../contract/options/options.ts'
import { CodeBlock } from '../../design/code-block.tsx'
import type { VideoView } from '../read-video-view.ts'
import { asCurl, asJson, asTypeScript } from '../../request-code.ts'

/** The request that made this video, ready to be sent again. */
export function RequestPanel({ view, baseUrl }: { view: VideoView; baseUrl: string }) {
  const request = requestOf(view)
  return (
    <>
      {!hasSource(request) && (
        <p class="soft">
          The source was uploaded with the request, and is no longer kept. Sent again as JSON, it
          needs a <code>fileUrl</code>, <code>files</code> or <code>uploadId</code>.
        </p>
      )}
      <CodeBlock label="JSON" code={asJson(request)} />
      <CodeBlock label="curl" code={asCurl(request, baseUrl)} shell />
      <CodeBlock label="TypeScript" code={asTypeScript(request, baseUrl)} />
    </>
  )
}

const hasSource = (request: Record<string, unknown>) => sourceFields.some((name) => name in request)

/** The request that would make this video again: the options that were given, without defaults. */
function requestOf({ record, outputs }: VideoView): Record<string, unknown> {
  const told: Readonly<Record<string, unknown>> = { ...record, outputs, ...sourceAgain(record) }
  const { videoName, ...rest } = createVideo.shape
  const names = [...sourceFields, 'combine', ...Object.keys({ videoName }), ...Object.keys(rest)]
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => {
      const value = told[name]
      return value === undefined || isDefault(name, value) ? [] : [[name, value]]
    }),
  )
}

/**
 * The source for making the video again. An upload makes one video; while its file is kept, the next request names this video.
 * Addresses can be given again.
 */
function sourceAgain({ videoId, fileUrl, files, sourceExpiresAt }: VideoRecord) {
  const hasAddress = fileUrl !== undefined || files !== undefined
  const again = !hasAddress && sourceExpiresAt !== undefined ? videoId : undefined
  return { uploadId: undefined, sourceVideoId: again }
}

function isDefault(name: string, value: unknown): boolean {
  const option = Object.entries(processingOptions).find(([known]) => known === name)?.[1]
  const fallback: unknown = option?.safeParse(undefined).data
  return fallback !== undefined && fallback === value
}
