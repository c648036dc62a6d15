import { parseJsonBody } from '../../../contract/input/read-json.ts'
import type { Choices } from '../../new-video/request/build-request.ts'
import { planOf } from '../../new-video/request/plan-of.ts'
import { asCurl, asJson, asTypeScript } from '../../request-code.ts'
import type { Composer } from './composer.ts'
import { write } from '../page/write.ts'
import { makeItems } from '../page/make.ts'

/** Shows the request as it changes, and reads the changes made to its JSON. */
export function enlivenRequest(composer: Composer): void {
  const editor = document.querySelector<HTMLTextAreaElement>('#request-json')
  if (!editor) return
  const copy = document.querySelector<HTMLElement>('#json [data-copy]')
  composer.onChange((from) => {
    const { request } = composer
    if (from === 'controls') {
      editor.value = asJson(request)
      say(editor, '')
    }
    const baseUrl = composer.form.dataset['baseUrl'] ?? ''
    const clip = composer.form.querySelector<HTMLElement>('[data-again-file]')?.dataset['againFile']
    document
      .querySelector('[data-plan]')
      ?.replaceChildren(...makeItems(planOf(composer.full, clip)))
    if (copy) copy.dataset['copy'] = editor.value
    write('#curl figure code', asCurl(request, baseUrl))
    write('#typescript figure code', asTypeScript(request, baseUrl))
  })
  editor.addEventListener('input', () => {
    const read = readRequest(editor.value)
    say(editor, read.ok ? '' : read.message)
    if (read.ok) composer.show(read.request, 'json')
  })
}

function readRequest(
  text: string,
): { ok: true; request: Choices } | { ok: false; message: string } {
  const parsed = parseJsonBody(text)
  if (!parsed.ok) return { ok: false, message: parsed.fault.message }
  const { value } = parsed
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ok: true, request: value as Choices }
  }
  return {
    ok: false,
    message: 'Must be an object such as {"fileUrl": "https://example.com/talk.mp4"}',
  }
}

/** Whether the editor holds JSON that cannot be sent. */
export function isRequestBroken(): boolean {
  return document.querySelector('#request-json')?.getAttribute('aria-invalid') === 'true'
}

function say(editor: Element, message: string): void {
  editor.toggleAttribute('aria-invalid', false)
  if (message !== '') editor.setAttribute('aria-invalid', 'true')
  write('#request-fault', message)
}
