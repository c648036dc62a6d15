import type { Child } from 'hono/jsx'
import type { SourceKind } from './request/choose-source.ts'
import { type Field, faultAt, type Filled } from './form/control.ts'
import { FieldView } from './form/field-view.tsx'
import type { NewVideoView } from './new-video-view.ts'

type SourceProps = {
  fields: readonly Field[]
  filled: Filled
  source: SourceKind
  mostUploadBytes: number
  again: NewVideoView['again']
}

const choices: readonly { value: SourceKind; label: string }[] = [
  { value: 'upload', label: 'A file' },
  { value: 'address', label: 'An address' },
  { value: 'several', label: 'Several to join' },
]
/** Shown only where a file can be used again. */
const again = { value: 'again', label: 'The same file' } as const

/** The source of the video: a file from this machine, an address, or several addresses in order. */
export function SourceView({
  fields,
  filled,
  source,
  mostUploadBytes,
  again: earlier,
}: SourceProps) {
  const panel = (name: string) => {
    const field = fields.find((known) => known.name === name)
    return field && <FieldView field={field} filled={filled} />
  }
  const { sourceVideoId } = filled.request
  const videoId = typeof sourceVideoId === 'string' ? sourceVideoId : ''
  return (
    <fieldset class="source" id="source">
      <legend>SourceKind</legend>
      <div class="chips">
        {[again, ...choices].map(({ value, label }) => (
          <label
            class="chip"
            data-again={value === 'again'}
            hidden={value === 'again' && videoId === ''}
          >
            <input type="radio" name="source" value={value} checked={value === source} />
            {label}
          </label>
        ))}
      </div>
      <Panel of="upload">
        <UploadPanel filled={filled} mostBytes={mostUploadBytes} />
      </Panel>
      <Panel of="address">{panel('fileUrl')}</Panel>
      <Panel of="several">{panel('files')}</Panel>
      <Panel of="again">
        <SameFile {...{ videoId, earlier }} fault={faultAt(filled, 'sourceVideoId')} />
      </Panel>
    </fieldset>
  )
}

function Panel({ of, children }: { of: SourceKind; children: Child }) {
  return (
    <div class="source-panel" data-source={of}>
      {children}
    </div>
  )
}

type SameFileProps = {
  videoId: string
  earlier: NewVideoView['again']
  fault: string | undefined
}

function SameFile({ videoId, earlier, fault }: SameFileProps) {
  return (
    <div
      id="field-sourceVideoId"
      data-again-file={earlier?.name ?? ''}
      data-heard-in={earlier?.heardIn ?? ''}
    >
      <input type="hidden" name="sourceVideoId" value={videoId} data-reads="text" />
      <p data-again-text>
        The file of <a href={`/app/videos/${videoId}`}>{earlier?.name ?? 'an earlier video'}</a>, as
        it was sent. It is still here, so nothing has to be sent again.
      </p>
      {fault !== undefined && <p class="fault">{fault}</p>}
    </div>
  )
}

function UploadPanel({ filled, mostBytes }: { filled: Filled; mostBytes: number }) {
  const { uploadId } = filled.request
  const fault = faultAt(filled, 'uploadId')
  return (
    <div id="field-uploadId" data-upload-panel data-most-bytes={mostBytes}>
      <noscript>
        <p class="notice">
          To send a file from here, allow scripts for this page. Without them, choose “An address”,
          or send the file with the API.
        </p>
      </noscript>
      <input
        type="hidden"
        name="uploadId"
        value={typeof uploadId === 'string' ? uploadId : ''}
        data-reads="text"
      />
      <div class="drop needs-script" data-drop>
        <input class="aside" type="file" id="file" accept="video/*,.avi,.mov,.webm,.mp4" />
        <label class="button" for="file">
          Choose a file
        </label>
        <p>or drop it here. It is sent while you choose the options.</p>
      </div>
      <p class="hint">
        No video at hand? <a href="/app/videos/new?example">Take our example clip.</a>
      </p>
      <Sending />
      <p class="fault" role="alert" data-file-fault hidden></p>
      {fault !== undefined && <p class="fault">{fault}</p>}
    </div>
  )
}

/** The progress of the upload. */
function Sending() {
  return (
    <div class="sending" data-sending hidden>
      <p class="sending-name">
        <strong data-file-name dir="auto"></strong> <span class="soft" data-file-size></span>
      </p>
      <progress class="progress" max={100} value={0} aria-label="Sent" data-sent></progress>
      <p class="sending-state" data-sending-state></p>
      <p class="row">
        <button type="button" class="button small" data-pause>
          Pause
        </button>
        <button type="button" class="button small quiet" data-drop-file>
          Remove
        </button>
      </p>
    </div>
  )
}

/** A clip of somebody speaking for eleven seconds, for people who want to try the service. */
export const exampleClipAt = (baseUrl: string): string => `${baseUrl}/docs/examples/speech.mp4`
