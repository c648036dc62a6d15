import { z } from 'zod'
import { jsonOf } from '../../worker/contract/input/json-of.ts'

const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

/** The service's own message, or the status if the answer did not come from the service. */
export function describeRefusal(status: number, text: string): string {
  const parsed = errorBody.safeParse(jsonOf(text))
  if (!parsed.success) {
    return `The service answered with status ${status}: ${text.slice(0, 200).trim() || '(nothing)'}`
  }
  const { error, message, details = [] } = parsed.data
  const lines = details.map((fault) => `  ${fault.field}: ${fault.message}`)
  const hint = status === 401 ? ['  The admin secret or the clock of this machine is wrong.'] : []
  return [`${error}: ${message}`, ...lines, ...hint].join('\n')
}
