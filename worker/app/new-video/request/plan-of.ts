import { sayPlan } from '../../../contract/options/say-plan.ts'
import type { CreateVideo } from '../../../contract/options/create-video.ts'
import type { Request } from './build-request.ts'

/** What would be done for what the form holds now, defaults included. Without a source, its first step asks for one. */
export function planOf(full: Request): string[] {
  const { fileUrl, files, uploadId, sourceVideoId } = full
  const hasSource = [fileUrl, files, uploadId, sourceVideoId].some(Boolean)
  try {
    return [...(hasSource ? [] : ['choose a source']), ...sayPlan(full as CreateVideo)]
  } catch (error) {
    // What is written as JSON can be anything; the service says what is wrong with it once it is sent.
    if (error instanceof TypeError) return ['something that cannot be read yet: see the JSON']
    throw error
  }
}
