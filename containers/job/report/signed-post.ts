import { reportAnswer } from '../../../worker/contract/job/report.ts'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import { stackOf, type Log, type LogFields } from '../../errors/log.ts'

type SignedPost = { url: string; key: string; body: unknown; signal: AbortSignal }

/** Long enough for a Worker that starts and writes; a report that hangs must not delay the next one. */
const timeoutMs = 15_000

/** Sends JSON to the Worker, signed with the current time. */
export async function signedPost({ url, key, body, signal }: SignedPost): Promise<Response> {
  const text = JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    body: text,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    headers: {
      'Content-Type': 'application/json',
      [signatureHeader]: await signMessage(key, text, Date.now()),
    },
  })
}

/** The Worker's answer to a report; `again`: the report has not arrived. */
type NextStep = 'carry-on' | 'stop' | 'again'

type SentReport = SignedPost & { readonly log: Log; readonly about: LogFields }

/** Sends a report. `about` names it in the log. */
export async function sendSigned({ log, about, ...post }: SentReport): Promise<NextStep> {
  try {
    const response = await signedPost(post)
    if (!response.ok) {
      await response.body?.cancel()
      log('warn', 'A report was refused', { ...about, status: response.status })
      return isUnwanted(response.status) ? 'stop' : 'again'
    }
    const answer = reportAnswer.safeParse(await response.json())
    return answer.success && answer.data.action === 'stop' ? 'stop' : 'carry-on'
  } catch (error) {
    const fault = stackOf(error)
    if (!post.signal.aborted) log('warn', 'A report did not get through', { ...about, fault })
    return 'again'
  }
}

/** Whether the Worker no longer knows this job or fence, so that nothing more is sent. */
export function isUnwanted(status: number): boolean {
  return [401, 403, 404, 409, 410].includes(status)
}
