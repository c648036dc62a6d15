/**
 * Which of two runs over the same pictures this one is. The first notes what each picture takes: `whole` as a result of its
 * own, `look` in a fraction of the time, only to see how large that would be. The `second` shares out a number of bytes by
 * the notes, so that it keeps to them and looks as good everywhere.
 */
export type Pass = { readonly kind: 'look' | 'whole' | 'second'; readonly notes: string }

/** The worst a picture may look: x264 refuses bytes that are too few for that. */
const worstQuantizer = 42

/** Changes the arguments that set the rate of a picture into those of the pass. */
export function inPass(rate: readonly string[], pass: Pass | undefined): readonly string[] {
  if (!pass) return rate
  const notes = ['-passlogfile', pass.notes]
  switch (pass.kind) {
    case 'look':
      return [...rate, '-pass', '1', ...notes]
    case 'whole':
      return [...rate, '-pass', '1', '-fastfirstpass', '0', ...notes]
    case 'second':
      return [...rate, '-pass', '2', ...notes]
  }
}

/** An average rate without bounds in time, which the notes of the first pass make good use of. */
export function sharedRate(bytes: number, seconds: number): string[] {
  const bits = Math.round((bytes * 8) / Math.max(seconds, 0.04))
  return ['-b:v', String(Math.max(1000, bits)), '-qmax', String(worstQuantizer)]
}
