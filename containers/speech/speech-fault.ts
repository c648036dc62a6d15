import { ProviderFault, type ProviderFaultKind } from '../providers/provider-fault.ts'
import { SpeechFailure } from './speech-provider.ts'

export const noKey = 'Provider API key not configured.'

/** Turns the failure of a remote provider into the message that the customer sees. */
export function speechFault(error: unknown, timeoutSeconds: number): unknown {
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
