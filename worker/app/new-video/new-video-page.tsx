import { createVideo } from '../../contract/options/create-video.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import type { PageContent } from '../design/app-page.tsx'
import { Button } from '../design/button.tsx'
import { ToneShape } from '../design/status-badge.tsx'
import { type Field, type Filled, countFaults } from './form/control.ts'
import { chooseSource } from './request/choose-source.ts'
import { describeControls } from './form/describe-controls.ts'
import { FieldsView, FieldView } from './form/field-view.tsx'
import { groupFields } from './form/group-fields.ts'
import { newVideoStyle } from './new-video-style.ts'
import type { NewVideoView } from './new-video-view.ts'
import { ValueFields } from './value-fields.tsx'
import { PresetsView } from './presets-view.tsx'
import { Preview } from './preview.tsx'
import { RequestView } from './request-view.tsx'
import { shortenRequest } from './request/shorten-request.ts'
import { SourceView } from './source-view.tsx'

let described: Field[] | undefined

/** Made once, when first needed: the schema does not change while the service runs. */
export function requestFields(): Field[] {
  return (described ??= describeControls(createVideo))
}

/** GET /app/videos/new; also shown with the faults when a form was refused. */
export function newVideoPage(view: NewVideoView): PageContent {
  return {
    title: 'New video',
    said: view.notice,
    section: 'new-video',
    style: newVideoStyle,
    scripts: ['new-video'],
    // The page reads a chosen file to draw its sound.
    connect: ['blob:'],
    children: (
      <>
        <FaultSummary faults={view.faults} />
        <NewVideoForm {...view} />
      </>
    ),
  }
}

function NewVideoForm(view: NewVideoView) {
  const { request, faults, member, defaults, baseUrl } = view
  const fields = requestFields()
  const filled = { request, faults }
  const name = fields.find((field) => field.name === 'videoName')
  return (
    <form
      id="new-video"
      class="compose"
      method="post"
      action="/app/videos/new"
      novalidate
      data-account={member.accountId}
      data-base-url={baseUrl}
      data-defaults={JSON.stringify(defaults)}
    >
      <input type="hidden" name="once" value={view.once} />
      <div class="ask">
        <SourceView
          {...{ fields, filled }}
          source={view.source}
          mostUploadBytes={view.mostUploadBytes}
          again={view.again}
        />
        {name && <FieldView field={name} filled={filled} />}
        <PresetsView presets={view.presets} chosen={request['preset']} />
        <ValueFields
          preset={view.presets.find(({ name }) => name === request['preset'])}
          values={request['values']}
          faults={faults}
        />
      </div>
      <div class="side needs-script">
        <Preview />
        <RequestView
          request={shortenRequest(request, defaults)}
          full={chooseSource(request, view.source)}
          baseUrl={baseUrl}
          clip={view.again?.name}
        />
      </div>
      <Options {...{ fields, filled }} />
      <div class="bar">
        <p id="state" class="soft" role="status"></p>
        <Button look="primary" id="create">
          Create video
        </Button>
      </div>
    </form>
  )
}

function Options({ fields, filled }: { fields: readonly Field[]; filled: Filled }) {
  return (
    <div class="options">
      {groupFields(fields).map(({ title, fields: grouped }) => (
        <section class="options-group" aria-label={title}>
          <h2>{title}</h2>
          <div class="fields">
            <FieldsView fields={grouped} filled={filled} />
          </div>
        </section>
      ))}
    </div>
  )
}

/** How many faults there are, with a link to each. A script updates it. */
function FaultSummary({ faults }: { faults: readonly FieldFault[] }) {
  return (
    <div class="notice bad" id="faults" role="alert" tabindex={-1} hidden={faults.length === 0}>
      <ToneShape tone="bad" />
      <div>
        <p id="faults-count">{countFaults(faults.length)}</p>
        <ul id="faults-list">
          {faults.map(({ field, message }) => (
            <li>
              <a href={`#field-${field}`}>{field}</a>: {message}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
