import type { z } from 'zod'
import {
  deadlineIn,
  firstTaken,
  type CallDeadline,
  type Patience,
  type ProviderCall,
} from '../../providers/call-provider.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'
import type { Speech } from '../../timeline/speech.ts'
import {
  SpeechFailure,
  type HearingHelp,
  type SpeechAudio,
  type SpeechProvider,
} from '../speech-provider.ts'

/** The request to a provider: its bodies go from the most detailed to the simplest; without a body, the address is read. */
type SpeechQuestion<Answer> = {
  readonly route: string
  readonly shape: z.ZodType<Answer>
  readonly contentType?: string
  readonly bodies?: readonly NonNullable<ProviderCall['body']>[]
}

export type Conversation = {
  readonly deadline: CallDeadline
  readonly ask: <Answer>(question: SpeechQuestion<Answer>) => Promise<Answer>
}

/** How to talk to one provider. */
type SpeechDialect = {
  readonly name: Exclude<SpeechProvider['name'], 'local'>
  readonly baseUrl: string
  /** The header of that name; undefined if a setting is missing. */
  readonly authorization: string | undefined
  readonly transcribe: (
    conversation: Conversation,
    audio: SpeechAudio,
    asked: Pick<HearingHelp, 'names' | 'speakers'>,
  ) => Promise<Speech>
}

/** Transcription by a remote provider. */
export function createRemoteSpeech(dialect: SpeechDialect, patience: Patience): SpeechProvider {
  const { name, baseUrl, authorization, transcribe } = dialect
  const { timeoutSeconds, backoffMs } = patience
  return {
    name,
    transcribe: async (audio, { signal }, asked = {}) => {
      if (authorization === undefined) {
        throw new SpeechFailure('Provider API key not configured.')
      }
      const deadline = deadlineIn(timeoutSeconds * 1_000, signal)
      const ask: Conversation['ask'] = async ({ route, shape, contentType, bodies }) => {
        const headers = { Authorization: authorization, Accept: 'application/json' }
        const call = {
          url: `${baseUrl}${route}`,
          headers:
            contentType === undefined ? headers : { ...headers, 'Content-Type': contentType },
          deadline,
          ...(backoffMs && { backoffMs }),
        }
        const parsed = shape.safeParse(await firstTaken(call, bodies))
        if (!parsed.success) throw new ProviderFault('unreadable', { cause: parsed.error })
        return parsed.data
      }
      try {
        return await transcribe({ deadline, ask }, audio, asked)
      } catch (error) {
        throw speechFault(error, timeoutSeconds)
      }
    },
  }
}

/** Turns the failure of a remote provider into the message that the customer sees. */
function speechFault(error: unknown, timeoutSeconds: number): unknown {
  if (!(error instanceof ProviderFault)) return error
  const messages: Record<ProviderFaultKind, string> = {
    'timed-out': `Transcription timed out: the provider did not answer within ${timeoutSeconds} seconds.`,
    busy: 'Transcription failed: the speech provider is busy and asked to come back later.',
    unreachable: 'Transcription failed: the speech provider did not answer.',
    unreadable: 'Transcription failed: the answer of the speech provider could not be read.',
    'key-refused': 'Transcription failed: the speech provider refused the API key.',
    'too-large': 'Audio file too large for the speech provider.',
    refused: 'Transcription failed: the speech provider refused the request.',
  }
  return new SpeechFailure(messages[error.kind], { cause: error })
}
