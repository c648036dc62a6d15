import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { JobError } from '../../errors/job-error.ts'
import type { Providers } from '../../insight/choose-providers.ts'

/** Without a provider nothing can be translated; that is said before anything is done. */
export function refuseUntranslated(
  { captions }: Pick<ProcessingOptions, 'captions'>,
  { analysis }: Pick<Providers, 'analysis'>,
): void {
  if (!captions?.translateTo || analysis.answer) return
  throw new JobError(
    'element_unusable',
    'captions.translateTo: translating needs a provider, and this service has none; its operator names one with ANALYSIS_PROVIDER (openai or cloudflare) and its key.',
  )
}
