import { hearsCaptions, type ProcessingOptions } from '../../worker/contract/options/options.ts'
import { cutsWords } from '../sound/sound-request.ts'

/** The options for which the plan depends on what is said. For others, speech is transcribed beside the rendering. */
const asksForWords: readonly ((options: ProcessingOptions) => boolean)[] = [
  cutsWords,
  hearsCaptions,
  ({ analyzeOnly, clips }) => analyzeOnly || clips !== undefined,
  ({ bleep }) => bleep !== undefined,
]

/** Whether speech has to be transcribed before the rendering is planned. */
export function needsWordsFirst(options: ProcessingOptions): boolean {
  return asksForWords.some((asks) => asks(options))
}
