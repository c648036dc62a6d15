export type Verdict = {
  readonly text: string
  readonly kept: boolean
  /** Neither kept nor broken: the machine had too much else to do. */
  readonly isOpen?: boolean
}

export function limited(what: string, limit: string, kept: boolean): Verdict {
  return { text: `${what}  limit ${limit}: ${kept ? 'ok' : 'below the limit'}`, kept }
}

/** More than a machine with nobody at it does by itself. */
const quietCores = 0.2

/** What the clock says while others use the processors cannot be held against the service; it can speak for it. */
export function timed(
  what: string,
  limit: string,
  { kept, othersCores }: { kept: boolean; othersCores: number },
): Verdict {
  if (kept || othersCores <= quietCores) return limited(what, limit, kept)
  const why = `others used ${othersCores.toFixed(2)} cores`
  return { text: `${what}  limit ${limit}: not judged, ${why}`, kept: true, isOpen: true }
}
