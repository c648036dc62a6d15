import type { ShownOutput, VideoRecord } from '../../contract/video/video-record.ts'
import { isHls } from '../../contract/options/outputs/output-hls.ts'
import { isMoving, isStill } from '../../contract/options/outputs/output-pictures.ts'
import { Button } from '../design/button.tsx'
import { formatSeconds, formatBytes } from '../design/formats.ts'
import { toSave } from '../send-page.ts'
import type { ShownDelivery } from '../../contract/storages/destination.ts'
import { Badge, type Tone } from '../design/status-badge.tsx'
import { formatName } from '../../contract/video/format-name.ts'

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
              {output.title !== undefined && <span dir="auto">{output.title} · </span>}
              <Taken output={output} />
              <span class="soft"> {factsOf(output)}</span>
              <Shown output={output} />
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}

/** How to get the file of an output. A stream cannot be saved: players take its address. */
function Taken({ output: { url, format, outputFormat } }: { output: ShownOutput }) {
  if (url === undefined) return 'no longer kept'
  if (!isHls(outputFormat)) return <a href={toSave(url)}>Download {format && formatName(format)}</a>
  return (
    <>
      Plays in Safari, or with hls.js
      <span class="address">
        <code>{url}</code>
        <Button size="small" look="quiet" copy={url} label="Copy the address of the stream">
          Copy
        </Button>
      </span>
    </>
  )
}

/** How many pictures of each output are shown, so that the page of a request for hundreds stays small. */
const mostShown = 4

/** Shows pictures where they are listed; if an output has several, each has a link and the first ones are shown. */
function Shown({ output }: { output: ShownOutput }) {
  const { url, files = [], name } = output
  const isShown = isMoving(output.outputFormat) || isStill(output.outputFormat)
  if (url === undefined || !isShown) return null
  const pictures = [url, ...files.flatMap((file) => file.url ?? [])]
  return (
    <span class="made">
      {pictures.slice(0, mostShown).map((address, i) => (
        <a href={address}>
          <img
            src={address}
            alt={pictures.length === 1 ? name : `${name}, ${i + 1}`}
            width={output.width}
            height={output.height}
            loading="lazy"
          />
        </a>
      ))}
      {pictures.slice(mostShown).map((address, i) => (
        <a href={address} aria-label={`${name}, ${mostShown + i + 1}`}>
          {mostShown + i + 1}
        </a>
      ))}
    </span>
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

const states: Record<ShownDelivery['state'], { tone: Tone; word: string }> = {
  pending: { tone: 'busy', word: 'On its way' },
  delivered: { tone: 'good', word: 'Delivered' },
  failed: { tone: 'bad', word: 'Failed' },
}

/** The state of each result at each bucket; nothing for a request that names no bucket. */
export function DeliveryList({ record }: { record: VideoRecord }) {
  if (!record.destinations?.length || record.status !== 'succeeded') return null
  return (
    <section class="outputs" aria-label="Destinations">
      <h2>Destinations</h2>
      <dl class="facts">
        {record.destinations.map(({ storage, key, state, reason }) => (
          <>
            <dt>{storage}</dt>
            <dd>
              <code>{key}</code> <Badge {...states[state]} />
              {reason !== undefined && <div class="soft">{reason}</div>}
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}
