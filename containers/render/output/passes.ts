import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { canShareOut } from './picture-codecs.ts'

/**
 * Which of two runs over the same pictures this one is. The first notes what each picture takes: `whole` as a result in its own
 * right, `look` in a fraction of the time, only to see how large that would be. The `second` shares out a number of bytes by
 * the notes, so that it keeps to them and looks equally good everywhere.
 */
export type Pass = { readonly kind: 'look' | 'whole' | 'second'; readonly notes: string }

/** The lowest quality of a picture: x264 refuses bytes that are too few for it. */
const worstQuantizer = 42

/** Replaces the arguments that set the rate of pictures with those of the pass. */
export function inPass(
  rate: readonly string[],
  pass: Pass | undefined,
  codec: VideoCodec,
): readonly string[] {
  if (!pass) return rate
  const notes = [...rate, ...notesArgs(pass.notes, codec)]
  switch (pass.kind) {
    case 'look':
      return [...notes, '-pass', '1']
    case 'whole':
      return [...notes, '-pass', '1', '-fastfirstpass', '0']
    case 'second':
      return [...notes, '-pass', '2']
  }
}

/**
 * ffmpeg adds the number of the stream in the run to the name, so that a run over other films would not find the notes. x264
 * has an option of its own for the name; not in `-x264-params`, which others set.
 */
function notesArgs(notes: string, codec: VideoCodec): string[] {
  return canShareOut(codec) ? ['-x264opts', `stats=${notes}`] : ['-passlogfile', notes]
}

/** An average rate without bounds in time, for which the notes of the first pass are most useful. */
export function sharedRate(bytes: number, seconds: number): string[] {
  const bits = Math.round((bytes * 8) / Math.max(seconds, 0.04))
  return ['-b:v', String(Math.max(1000, bits)), '-qmax', String(worstQuantizer)]
}
