import { webhookLimits } from '../../contract/limits.ts'
import { addressFaults, type AddressPolicy } from '../../contract/addresses/address-faults.ts'
import { isAllowedHost, portOf } from '../../contract/addresses/public-url.ts'
import { readRetryAfter } from '../../contract/answers/retry-after.ts'
import { signWebhook } from './sign-webhook.ts'
import { isSuccess } from './decide-delivery.ts'
import { describeError, log } from '../log.ts'
import { readBeginning } from '../read-beginning.ts'

type Webhook = { id: string; url: string; body: string; secrets: readonly string[] }

export type SentWebhook = {
  statusCode: number | null
  durationMs: number
  error: string | null
  /** The beginning of the answer, as text. */
  response: string
  retryAfterMs?: number | undefined
  /** The result in the delivery's log, if that must not show the real one. */
  logged?: Pick<SentWebhook, 'statusCode' | 'durationMs' | 'error'>
}

const { attemptMs, answerBytes, loggedAnswerBytes } = webhookLimits

/**
 * Makes one attempt. The address is checked again each time: a Worker can neither resolve nor pin a name, but it can
 * refuse literals and forbidden names by their spelling, and the rules may have changed since the request.
 */
export async function sendWebhook(
  webhook: Webhook,
  policy: AddressPolicy,
  { isForOwnerAlone }: { isForOwnerAlone: boolean },
): Promise<SentWebhook> {
  const startedAt = Date.now()
  const [fault] = addressFaults({ webhookUrl: webhook.url }, policy)
  if (fault) return unanswered(startedAt, `The address is not allowed: ${fault.message}`)
  const url = new URL(webhook.url)
  const isPrivate = isAllowedHost(policy.allowed, url.hostname, portOf(url))
  const sent = await attempt(webhook, startedAt, !isPrivate)
  return isPrivate && !isForOwnerAlone && sent.error !== null ? keepQuiet(webhook, sent) : sent
}

async function attempt(
  webhook: Webhook,
  startedAt: number,
  keepsAnswer: boolean,
): Promise<SentWebhook> {
  const signal = AbortSignal.timeout(attemptMs)
  let answer: Response
  try {
    answer = await post(webhook, startedAt, signal)
  } catch (cause) {
    log('info', 'no answer to a webhook', { webhookId: webhook.id, ...describeError(cause) })
    // The exact error may name internal addresses.
    const error = signal.aborted
      ? `No answer within ${attemptMs / 1000} seconds`
      : 'The connection failed, or was closed before an answer'
    return unanswered(startedAt, error)
  }
  if (!keepsAnswer) await answer.body?.cancel().catch(() => undefined)
  const response = keepsAnswer ? await textOf(answer, signal) : ''
  return {
    statusCode: answer.status,
    durationMs: Date.now() - startedAt,
    error: isSuccess(answer.status) ? null : describeFailure(answer.status),
    response,
    retryAfterMs: readRetryAfter(answer.headers.get('Retry-After'), Date.now()),
  }
}

/**
 * Hides the failure of a host that only the allow-list permits, so that the delivery's log does not reveal what listens
 * there; the service's log has it. The status still decides what happens next.
 */
function keepQuiet(webhook: Webhook, sent: SentWebhook): SentWebhook {
  const { statusCode, durationMs, error } = sent
  const fields = { webhookId: webhook.id, statusCode, durationMs, error }
  log('warn', 'a private host did not take a webhook', fields)
  return {
    ...sent,
    logged: {
      statusCode: null,
      durationMs: 0,
      error:
        'Not received. The address leads to a private host, so no details are given here; the log of the service has them',
    },
  }
}

async function post(webhook: Webhook, startedAt: number, signal: AbortSignal): Promise<Response> {
  const { id, url, body, secrets } = webhook
  const timestampSeconds = Math.floor(startedAt / 1000)
  return fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    signal,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Spool-Webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': await signWebhook(secrets, { id, timestampSeconds, body }),
    },
  })
}

function unanswered(startedAt: number, error: string): SentWebhook {
  return { statusCode: null, durationMs: Date.now() - startedAt, error, response: '' }
}

function describeFailure(status: number): string {
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed`
  if (status === 410) return 'Answered 410: no more attempts are made'
  return `Answered ${status}; only 2xx means received`
}

/** The beginning of the answer. The status has decided the attempt already, so it does not matter if the rest never comes. */
async function textOf({ body }: Response, signal: AbortSignal): Promise<string> {
  const limits = { keptBytes: loggedAnswerBytes, readBytes: answerBytes }
  const { text } = await readBeginning(body, signal, limits)
  // Control characters are of no use in a log, and JSON would write each of them as six bytes.
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
}
