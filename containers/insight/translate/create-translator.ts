import type { Patience } from '../../providers/call-provider.ts'
import { askModel, type Dialect } from '../remote/ask-model.ts'
import { failureOf } from '../remote/remote-analysis.ts'
import type { AskModel } from './translate-cues.ts'

/** Asks the model that analyses videos; undefined if its key is missing, so that nobody can be asked. */
export function createTranslator(dialect: Dialect, patience: Patience): AskModel | undefined {
  if (dialect.apiKey === undefined) return undefined
  return async (question, signal) => {
    try {
      return await askModel(dialect, question, { ...patience, signal })
    } catch (error) {
      throw failureOf(error, patience.timeoutSeconds, 'Not translated')
    }
  }
}
