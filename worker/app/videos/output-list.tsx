import type { ShownOutput, VideoRecord } from '../../contract/video/video-record.ts'
import { formatBytes } from '../design/format-bytes.ts'
import { formatSeconds } from '../design/format-seconds.ts'
import { toSave } from '../page-links.ts'

/** The results of a request that names several; nothing for any other request. */
export function OutputList({ record }: { record: VideoRecord }) {
  if (!record.outputs || record.status !== 'succeeded') return null
  return (
    <section class="outputs" aria-label="Outputs">
      <h2>Outputs</h2>
      <dl class="facts">
        {record.outputs.map((output) => (
          <>
            <dt>{output.name}</dt>
            <dd>
              {output.url === undefined ? (
                'no longer kept'
              ) : (
                <a href={toSave(output.url)}>Download {output.format?.toUpperCase()}</a>
              )}
              <span class="soft"> {factsOf(output)}</span>
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}

function factsOf({ width, height, duration, bytes }: ShownOutput): string {
  return [
    width === undefined ? undefined : `${width} × ${height}`,
    duration === undefined ? undefined : formatSeconds(duration),
    bytes === undefined ? undefined : formatBytes(bytes),
  ]
    .filter((fact) => fact !== undefined)
    .join(', ')
}
