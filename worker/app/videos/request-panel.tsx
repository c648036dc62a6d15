import type { VideoRecord } from '../../contract/video/video-record.ts'
import { CodeBlock } from '../design/code-block.tsx'
import { asCurl, asJson, asTypeScript } from '../request-code.ts'
import { requestOf } from './request-of.ts'

/** The request that made this video, as one would send it. */
export function RequestPanel({ record, baseUrl }: { record: VideoRecord; baseUrl: string }) {
  const request = requestOf(record)
  return (
    <>
      {!hasSource(request) && (
        <p class="soft">
          The source was uploaded with the request. Sent again as JSON, it needs a{' '}
          <code>fileUrl</code>, <code>files</code> or <code>uploadId</code>.
        </p>
      )}
      <CodeBlock label="JSON" code={asJson(request)} />
      <CodeBlock label="curl" code={asCurl(request, baseUrl)} shell />
      <CodeBlock label="TypeScript" code={asTypeScript(request, baseUrl)} />
    </>
  )
}

const hasSource = (request: Record<string, unknown>) =>
  ['fileUrl', 'files', 'uploadId'].some((name) => name in request)
