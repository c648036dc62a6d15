import type { Patience } from '../../providers/call-provider.ts'
import { AnalysisFailure, type AnalysisProvider } from '../analysis-provider.ts'
import { askModel, type Dialect } from './ask-model.ts'
import { answerSchema, parseModelAnswer } from './model-answer.ts'
import { showPictures } from './show-pictures.ts'
import { ProviderFault, type ProviderFaultKind } from '../../providers/provider-fault.ts'

const maxTokens = 1_024

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
      const messages = await showPictures(tools, subject)
      const question = { messages, name: 'video_analysis', schema: answerSchema, maxTokens }
      onProgress(shares.asking)
      try {
        const content = await askModel(dialect, question, { ...patience, signal: tools.signal })
        const analysis = parseModelAnswer(content)
        onProgress(100)
        return analysis
      } catch (error) {
        throw failureOf(error, patience.timeoutSeconds, 'Analysis failed')
      }
    },
  }
}

/** Turns the failure of a remote provider into the message that the customer sees. */
export function failureOf(error: unknown, timeoutSeconds: number, what: string): unknown {
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
  return new AnalysisFailure(`${what}: ${messages[error.kind]}.`, { cause: error })
}
