import { sayPlan } from '../../../contract/options/words/say-plan.ts'
import type { CreateVideo } from '../../../contract/options/create-video.ts'
import type { Choices } from './build-request.ts'

/**
 * What the service would do with the present form, defaults included. Without a source, the first step asks for one. `clip` is
 * the name of the earlier file that is used again.
 */
export function planOf(full: Choices, clip = ''): string[] {
  const { fileUrl, files, uploadId, sourceVideoId } = full
  const hasSource = [fileUrl, files, uploadId, sourceVideoId].some(Boolean)
  try {
    const steps = sayPlan(full as CreateVideo)
    const isNamed = sourceVideoId !== undefined && clip !== ''
    if (isNamed) steps.splice(0, 1, `use “${clip}”, which is here already`)
    return [...(hasSource ? [] : ['choose a source']), ...steps]
  } catch (error) {
    // JSON written by hand can be anything; the service says what is wrong once it is sent.
    if (error instanceof TypeError) return ['something that cannot be read yet: see the JSON']
    throw error
  }
}
