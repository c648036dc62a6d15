import {
  callProvider,
  deadlineIn,
  refusalOf,
  type Patience,
} from '../../providers/call-provider.ts'
import type { Message } from './show-pictures.ts'

/** What a model is asked, and the JSON that it is to answer. */
export type Question = {
  readonly messages: readonly Message[]
  readonly name: string
  readonly schema: object
  readonly maxTokens: number
}

/** How to talk to one kind of server. */
export type Dialect = {
  readonly name: 'openai' | 'cloudflare'
  readonly url: string
  /** Undefined if a setting is missing: whatever is asked then fails with a message that says so. */
  readonly apiKey: string | undefined
  /**
   * Request bodies, from the strictest way to ask for JSON to none: not every server and model supports each of them.
   */
  readonly bodies: (question: Question) => readonly unknown[]
  /** The model's text in an answer; undefined if there is none. */
  readonly contentOf: (answer: unknown) => unknown
}

/** The model's text; rejects with a `ProviderFault`. */
export async function askModel(
  { url, apiKey, bodies, contentOf }: Dialect,
  question: Question,
  { timeoutSeconds, backoffMs, signal }: Patience & { signal: AbortSignal },
): Promise<unknown> {
  const call = {
    url,
    headers: { Authorization: `Bearer ${apiKey ?? ''}`, 'Content-Type': 'application/json' },
    deadline: deadlineIn(timeoutSeconds * 1_000, signal),
    ...(backoffMs && { backoffMs }),
  }
  let refused = 400
  for (const body of bodies(question)) {
    const { status, json } = await callProvider({ ...call, body: async () => JSON.stringify(body) })
    if (status >= 200 && status < 300) return contentOf(json)
    refused = status
    // Leaving out an option helps only if the server did not know it.
    if (status !== 400 && status !== 422) break
  }
  throw refusalOf(refused)
}
