/**
 * How the lines of a picture were taken: all at once; every other one a moment later, as television did; or at once and
 * then spread over more pictures, as film is for television.
 */
export type Scan = {
  readonly kind: 'progressive' | 'interlaced' | 'telecined'
  /** Which lines come first, where they do not come together. */
  readonly firstField: 'top' | 'bottom'
  /** The file says that it is interlaced, which need not be so. */
  readonly isMarked: boolean
}

export const progressiveScan: Scan = { kind: 'progressive', firstField: 'top', isMarked: false }

/**
 * What ffprobe calls the order of the fields. Of `tb` and `bt` the second letter should say which is shown first; what
 * cameras and editors write into QuickTime follows the first.
 */
export function markedScan(fieldOrder: string | undefined): Scan {
  const isMarked = fieldOrder !== undefined && /^[tb][tb]$/.test(fieldOrder)
  const firstField = isMarked && fieldOrder.startsWith('b') ? 'bottom' : 'top'
  return { kind: isMarked ? 'interlaced' : 'progressive', firstField, isMarked }
}
