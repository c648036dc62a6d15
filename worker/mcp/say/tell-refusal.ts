import { errorBody, type ErrorBody } from '../../contract/answers/error-body.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import type { ToolAnswer } from '../tool.ts'

/** Says in words what the API has refused, why, and what to do about it. */
export async function tellRefusal(answer: Response): Promise<ToolAnswer> {
  const error = errorBody.parse(await answer.json())
  return tellError(error)
}

/** The same for arguments of which no request can be made. */
export function tellFaults(details: FieldFault[]): ToolAnswer {
  return tellError({ error: 'ValidationError', message: 'The arguments are not valid.', details })
}

function tellError(error: ErrorBody): ToolAnswer {
  const faults = (error.details ?? []).map(({ field, message }) => `- ${field}: ${message}`)
  const said = faults.length > 0 ? ['Not accepted:', ...faults] : [error.message]
  return { text: [...said, adviseOn(error)].join('\n'), isError: true }
}

function adviseOn({ error, message, retryAfter, requestId }: ErrorBody): string {
  if (retryAfter !== undefined) return `Next: wait ${retryAfter} s, then call again.`
  switch (error) {
    case 'ValidationError':
      return 'Next: correct this and call again. Nothing was made.'
    case 'Forbidden':
      return `Next: ask your user for an API key that may do this. Nothing was done.`
    case 'NotFound':
      return message.startsWith('Video')
        ? 'Next: list_videos shows the videos of this account.'
        : 'Next: do what the message says, or see with get_video what there is of this video.'
    case 'Conflict':
    case 'UnsupportedMediaType':
    case 'PayloadTooLarge':
      return 'Next: calling again with the same arguments changes nothing; do what the message says.'
    default:
      return requestId === undefined
        ? 'Next: tell your user.'
        : `Next: try once more; if it fails again, tell your user the request id ${requestId}.`
  }
}
