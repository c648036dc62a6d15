/**
 * How the lines of a picture were recorded: all at once; every other line a moment later, as in television; or at once
 * and then spread over more pictures, as film is for television.
 */
export type Scan = {
  readonly kind: 'progressive' | 'interlaced' | 'telecined'
  /** Which lines come first, if they are not simultaneous. */
  readonly firstField: 'top' | 'bottom'
  /** Whether the file says that it is interlaced, which may be wrong. */
  readonly isMarked: boolean
}

export const progressiveScan: Scan = { kind: 'progressive', firstField: 'top', isMarked: false }

/**
 * Reads the field order of ffprobe. Of `tb` and `bt`, the second letter should name the field that is shown first, but
 * QuickTime files from cameras and editors follow the first letter.
 */
export function markedScan(fieldOrder: string | undefined): Scan {
  const isMarked = fieldOrder !== undefined && /^[tb][tb]$/.test(fieldOrder)
  const firstField = isMarked && fieldOrder.startsWith('b') ? 'bottom' : 'top'
  return { kind: isMarked ? 'interlaced' : 'progressive', firstField, isMarked }
}
