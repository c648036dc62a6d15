import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { JobError } from '../../errors/job-error.ts'
import type { Providers } from '../../insight/choose-providers.ts'

/** Without a provider nothing can be translated; that is said before anything is done. */
export function refuseUntranslated(
  { captions }: Pick<ProcessingOptions, 'captions'>,
  { translate }: Pick<Providers, 'translate'>,
): void {
  if (!captions?.translateTo || translate) return
  throw new JobError(
    'element_unusable',
    'captions.translateTo: translating needs a provider, and this service has none; its operator names one with ANALYSIS_PROVIDER (openai or cloudflare) and its key.',
  )
}
