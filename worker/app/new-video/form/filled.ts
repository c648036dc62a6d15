import type { FieldFault } from '../../../contract/answers/errors.ts'
import type { Request } from '../request/build-request.ts'

/** What the form shows: the values of its controls, and what is wrong with them. */
export type Filled = {
  request: Request
  faults: readonly FieldFault[]
}

export function faultAt({ faults }: Filled, path: string): string | undefined {
  const messages = faults.filter(({ field }) => field === path).map(({ message }) => message)
  return messages.length === 0 ? undefined : messages.join('. ')
}
