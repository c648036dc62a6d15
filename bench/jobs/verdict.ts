export type Verdict = {
  readonly text: string
  readonly kept: boolean
  /** The limit can be called neither kept nor broken, because the machine was too busy. */
  readonly isOpen?: boolean
}

export function limited(what: string, limit: string, kept: boolean): Verdict {
  return { text: `${what}  limit ${limit}: ${kept ? 'ok' : 'below the limit'}`, kept }
}

/** More than the background work of an idle machine. */
const quietCores = 0.2

/**
 * Judges elapsed time. While other processes use the processors, a limit that is kept counts, but one that is not is
 * left open.
 */
export function timed(
  what: string,
  limit: string,
  { kept, othersCores }: { kept: boolean; othersCores: number },
): Verdict {
  if (kept || othersCores <= quietCores) return limited(what, limit, kept)
  const why = `others used ${othersCores.toFixed(2)} cores`
  return { text: `${what}  limit ${limit}: not judged, ${why}`, kept: true, isOpen: true }
}
