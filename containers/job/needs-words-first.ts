import { hearsCaptions, type ProcessingOptions } from '../../worker/contract/options/options.ts'
import { cutsWords } from '../sound/sound-request.ts'

/** The options whose plan depends on what is said. Others are heard beside the rendering. */
const asksForWords: readonly ((options: ProcessingOptions) => boolean)[] = [
  cutsWords,
  hearsCaptions,
  ({ analyzeOnly, clips }) => analyzeOnly || clips !== undefined,
  ({ bleep }) => bleep !== undefined,
]

/** Whether what is said has to be known before the rendering is planned. */
export function needsWordsFirst(options: ProcessingOptions): boolean {
  return asksForWords.some((asks) => asks(options))
}
