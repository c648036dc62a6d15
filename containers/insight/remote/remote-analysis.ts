import { callProvider, deadlineIn, refusalOf } from '../../providers/call-provider.ts'
import { AnalysisFailure, type AnalysisProvider } from '../analysis-provider.ts'
import { analysisFault } from './analysis-fault.ts'
import { parseModelAnswer } from './model-answer.ts'
import { showPictures, type Message } from './show-pictures.ts'

/** How one kind of server is spoken to. */
export type Dialect = {
  readonly name: 'openai' | 'cloudflare'
  readonly url: string
  /** Undefined where a setting is missing: every analysis fails, and says so. */
  readonly apiKey: string | undefined
  /** From the strictest way to ask for JSON to none: not every server and model knows every one. */
  readonly bodies: (messages: readonly Message[]) => readonly unknown[]
  /** The model's words in an answer; undefined where there are none. */
  readonly contentOf: (answer: unknown) => unknown
}

export type Patience = {
  readonly timeoutSeconds: number
  readonly backoffMs?: readonly number[]
}

const shares = { pictures: 5, asking: 40 }

/** Analysis by a vision model somewhere else. */
export function createRemoteAnalysis(dialect: Dialect, patience: Patience): AnalysisProvider {
  return {
    name: dialect.name,
    async analyse(subject, tools, onProgress) {
      if (dialect.apiKey === undefined) {
        throw new AnalysisFailure('Analysis failed: provider API key not configured.')
      }
      onProgress(shares.pictures)
      const bodies = dialect.bodies(await showPictures(tools, subject))
      onProgress(shares.asking)
      try {
        const answer = await ask(dialect, bodies, { ...patience, signal: tools.signal })
        const analysis = parseModelAnswer(dialect.contentOf(answer))
        onProgress(100)
        return analysis
      } catch (error) {
        throw analysisFault(error, patience.timeoutSeconds)
      }
    },
  }
}

async function ask(
  { url, apiKey }: Dialect,
  bodies: readonly unknown[],
  { timeoutSeconds, backoffMs, signal }: Patience & { signal: AbortSignal },
): Promise<unknown> {
  const call = {
    url,
    headers: { Authorization: `Bearer ${apiKey ?? ''}`, 'Content-Type': 'application/json' },
    deadline: deadlineIn(timeoutSeconds * 1_000, signal),
    ...(backoffMs && { backoffMs }),
  }
  let refused = 400
  for (const body of bodies) {
    const { status, json } = await callProvider({ ...call, body: async () => JSON.stringify(body) })
    if (status >= 200 && status < 300) return json
    refused = status
    // Anything but "I do not know this option" will not go away by leaving it out.
    if (status !== 400 && status !== 422) break
  }
  throw refusalOf(refused)
}
