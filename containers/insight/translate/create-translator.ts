import { AnalysisFailure, type AnalysisProvider } from '../analysis-provider.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'
import type { AskModel } from './translate-cues.ts'

const messages: Record<ProviderFaultKind, string> = {
  'timed-out': 'did not answer in time',
  busy: 'is busy and asked to come back later',
  unreachable: 'did not answer',
  unreadable: 'gave an answer that could not be read',
  'key-refused': 'refused the API key',
  'too-large': 'takes no texts of this size',
  refused: 'refused the request',
}

/** Asks the model that analyses videos; undefined if it answers no questions, as the one on this machine. */
export function createTranslator({
  answer,
}: Pick<AnalysisProvider, 'answer'>): AskModel | undefined {
  if (!answer) return undefined
  return async (question, signal) => {
    try {
      return await answer(question, signal)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      const why = `Not translated: the analysis provider ${messages[error.kind]}.`
      throw new AnalysisFailure(why, { cause: error })
    }
  }
}
