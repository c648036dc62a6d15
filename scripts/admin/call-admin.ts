import { z } from 'zod'
import {
  adminAnswers,
  adminPath,
  type AdminAnswer,
  type AdminCommand,
  type AdminRequest,
} from '../../worker/contract/people/admin.ts'
import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import { signatureHeader, signMessage } from '../../worker/contract/job/signed-message.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'

const answerMs = 30_000

/** The address of a service, and the secret that authorises commands. */
export type AdminTarget = { baseUrl: string; adminSecret: string }

/** Sends one signed command and returns its answer, checked against the contract. */
export async function callAdmin<Command extends AdminCommand>(
  target: AdminTarget,
  request: Extract<AdminRequest, { command: Command }>,
): Promise<AdminAnswer<Command>> {
  const { status, text } = await post(
    target,
    JSON.stringify({ ...request, nonce: crypto.randomUUID() }),
  )
  if (status !== 200) throw new StopWithMessage(describeRefusal(status, text))
  const schema: z.ZodType = adminAnswers[request.command]
  const parsed = schema.safeParse(jsonOf(text))
  // The command chose the schema, which the compiler cannot follow through the table.
  if (parsed.success) return parsed.data as AdminAnswer<Command>
  throw new StopWithMessage(
    `${target.baseUrl} gave an answer that this version does not know. Do both have the same version?`,
    1,
    { cause: parsed.error },
  )
}

async function post(target: AdminTarget, body: string): Promise<{ status: number; text: string }> {
  const signature = await signMessage(target.adminSecret, body, Date.now())
  try {
    const response = await fetch(target.baseUrl + adminPath, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', [signatureHeader]: signature },
      body,
      // A signed command is meant for the named service only.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StopWithMessage(`${target.baseUrl} does not answer: ${reason}`, 1, { cause: error })
  }
}

const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
})

/** The service's own message, or the status if the answer did not come from the service. */
function describeRefusal(status: number, text: string): string {
  const parsed = errorBody.safeParse(jsonOf(text))
  if (!parsed.success) {
    return `The service answered with status ${status}: ${text.slice(0, 200).trim() || '(nothing)'}`
  }
  const { error, message, details = [] } = parsed.data
  const lines = details.map((fault) => `  ${fault.field}: ${fault.message}`)
  const hint = status === 401 ? ['  The admin secret or the clock of this machine is wrong.'] : []
  return [`${error}: ${message}`, ...lines, ...hint].join('\n')
}
