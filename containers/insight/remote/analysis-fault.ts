import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'
import { AnalysisFailure } from '../analysis-provider.ts'

/** Turns the failure of a remote provider into the message that the customer sees. */
export function analysisFault(error: unknown, timeoutSeconds: number): unknown {
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
