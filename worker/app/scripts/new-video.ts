import { Composer } from './new-video/composer.ts'
import { keepDraft } from './new-video/draft.ts'
import { enlivenLists } from './new-video/lists.ts'
import { Preview } from './new-video/preview/preview.ts'
import { enlivenPairs } from './new-video/pair-rows.ts'
import { enlivenPresets } from './new-video/presets.ts'
import { offerForesight } from './new-video/foresee.ts'
import { enlivenRequest } from './new-video/request-panel.ts'
import { RequestSender } from './new-video/send-request.ts'
import { forgiveAround } from './new-video/show-faults.ts'
import { enlivenPicks } from './new-video/upload/pick-media.ts'
import { RememberedUpload } from './new-video/upload/remembered-upload.ts'
import { UploadPanel } from './new-video/upload/upload-panel.ts'
import { uploadPorts } from './new-video/upload/upload-ports.ts'

const form = document.querySelector<HTMLFormElement>('#new-video')
if (form) enliven(form)

function enliven(form: HTMLFormElement): void {
  const composer = new Composer(form)
  const shown = form.querySelector<HTMLElement>('[data-preview]')
  const preview = shown ? new Preview(composer, shown) : undefined
  enlivenRequest(composer)
  offerForesight(composer)
  enlivenPresets(composer)
  enlivenPairs(composer)
  enlivenPicks(composer, uploadPorts)
  enlivenLists(form, () => composer.changed())
  const memory = new RememberedUpload(localStorage, form.dataset['account'] ?? '')
  const panel: UploadPanel = new UploadPanel(composer, memory, uploadPorts, {
    chosen: (file) => preview?.show(file),
    state: () => sender.uploadChanged(),
  })
  const sender = new RequestSender(composer, panel)
  form.addEventListener('input', ({ target }) => {
    if (target instanceof Element) forgiveAround(target)
  })
  keepDraft(composer, sessionStorage)
  composer.changed()
}
