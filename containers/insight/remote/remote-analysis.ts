import { deadlineIn, firstTaken, type Patience } from '../../providers/call-provider.ts'
import { AnalysisFailure, type AnalysisProvider } from '../analysis-provider.ts'
import { answerSchema, parseModelAnswer, toldJson } from './model-answer.ts'
import { showPictures, type Message } from './show-pictures.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'

/** What an answer looks like, as JSON Schema. */
export type AnswerShape = { readonly name: string; readonly schema: object }

const ofAnalysis: AnswerShape = { name: 'video_analysis', schema: answerSchema }

/** How to talk to one kind of server. */
type Dialect = {
  readonly name: 'openai' | 'cloudflare'
  readonly url: string
  /** Undefined if a setting is missing: every analysis then fails with a message that says so. */
  readonly apiKey: string | undefined
  /**
   * Request bodies, from the strictest way to ask for JSON to none: not every server and model supports each of them.
   */
  readonly bodies: (messages: readonly Message[], shape: AnswerShape) => readonly unknown[]
  /** The model's text in an answer; undefined if there is none. */
  readonly contentOf: (answer: unknown) => unknown
}

const shares = { pictures: 5, asking: 40 }

/** Analysis by the vision model of a remote provider. */
export function createRemoteAnalysis(dialect: Dialect, patience: Patience): AnalysisProvider {
  return {
    name: dialect.name,
    async analyse(subject, tools, onProgress) {
      if (dialect.apiKey === undefined) {
        throw new AnalysisFailure('Analysis failed: provider API key not configured.')
      }
      onProgress(shares.pictures)
      const bodies = dialect.bodies(await showPictures(tools, subject), ofAnalysis)
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
    async answer({ system, user, ...shape }, signal) {
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: [{ type: 'text', text: user }] },
      ]
      if (dialect.apiKey === undefined) throw new ProviderFault('key-refused')
      const answer = await ask(dialect, dialect.bodies(messages, shape), { ...patience, signal })
      return toldJson(dialect.contentOf(answer))
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
  return firstTaken(
    call,
    bodies.map((body) => async () => Promise.resolve(JSON.stringify(body))),
  )
}

/** Turns the failure of a remote provider into the message that the customer sees. */
function analysisFault(error: unknown, timeoutSeconds: number): unknown {
  if (!(error instanceof ProviderFault)) return error
  const messages: Record<ProviderFaultKind, string> = {
    'timed-out': `the provider did not answer within ${timeoutSeconds} seconds`,
    busy: 'the analysis provider is busy and asked to come back later',
    unreachable: 'the analysis provider did not answer',
    unreadable: 'the answer of the analysis provider could not be read',
    'key-refused': 'the analysis provider refused the API key',
    'too-large': 'the analysis provider takes no pictures of this size',
    refused: 'the analysis provider refused the request',
  }
  return new AnalysisFailure(`Analysis failed: ${messages[error.kind]}.`, { cause: error })
}
