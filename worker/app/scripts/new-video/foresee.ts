import { ApiError, SpoolError } from '../../../../client/src/errors.ts'
import type { Plan } from '../../../contract/video/video-plan.ts'
import { fieldOfSource } from '../../new-video/request/choose-source.ts'
import { callApi } from '../page/call-api.ts'
import type { Composer } from './composer.ts'
import { faultOfSource } from './send-request.ts'
import { sayFault } from './show-faults.ts'
import { makeItems } from '../page/make.ts'

/** "Estimate size, time and cost": has the service examine the sources, and shows its estimate. */
export function offerForesight(composer: Composer): void {
  const button = document.querySelector<HTMLButtonElement>('#foresee')
  const list = document.querySelector('[data-foreseen]')
  if (!button || !list) return
  const show = (lines: readonly string[]): void => list.replaceChildren(...makeItems(lines))
  // An estimate for another request no longer holds.
  composer.onChange(() => show([]))
  button.addEventListener('click', () => {
    button.disabled = true
    show(['Looking at the sources…'])
    void foresee(composer)
      .then(show)
      .finally(() => (button.disabled = false))
  })
}

async function foresee({ request, source }: Composer): Promise<string[]> {
  const value = request[fieldOfSource[source]]
  if (value === undefined) return ['Choose a source first; a file is looked at once it is sent.']
  const fault = faultOfSource(value, source)
  if (fault !== undefined) return [fault]
  try {
    const { summary } = (await callApi('/plans', { method: 'POST', body: request })) as Plan
    return summary
  } catch (error) {
    if (error instanceof ApiError && error.faults.length > 0) {
      return error.faults.map(({ path, message }) => sayFault({ field: path, message }))
    }
    if (error instanceof SpoolError) return [error.message]
    throw error
  }
}
