import { JobError } from '../../errors/job-error.ts'
import type { Clip } from '../../timeline/clip.ts'

/** Profile 5 has no base layer that ordinary decoders can show in the right colours. */
export function refuseDolbyVisionOnly(clips: readonly Pick<Clip, 'facts'>[]): void {
  if (clips.every((clip) => clip.facts.video.dolbyVisionProfile !== 5)) return
  throw new JobError(
    'source_undecodable',
    'Dolby Vision profile 5 cannot be converted; please send another version of the video.',
  )
}
