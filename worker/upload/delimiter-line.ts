/** How many blanks may follow a boundary on its line. RFC 2046 sets no limit, and nobody sends any. */
const maxPadding = 64

/**
 * How many bytes after a boundary are needed to tell whether its line is a delimiter: two hyphens, blanks, the line
 * end.
 */
export const lookaheadBytes = 2 + maxPadding + 2

const [tab, lineFeed, carriageReturn, space, hyphen] = [9, 10, 13, 32, 45]

/** What separates two parts. The line end before the boundary belongs to it, and not to the content. */
export function delimiterOf(boundary: string): Uint8Array {
  return new TextEncoder().encode(`\r\n--${boundary}`)
}

/** `bytes` is how much of the line is skipped, without its line end. */
type DelimiterLine = { bytes: number; last: boolean }

/**
 * Tells from the rest of a line after the boundary whether it is a delimiter or only content that looks like one.
 * `line-feed` is content as well, but shows that the client wrote a delimiter with the wrong line end.
 */
export function readDelimiterLine(
  rest: Uint8Array,
  isAll: boolean,
): DelimiterLine | 'line-feed' | 'content' {
  const last = rest[0] === hyphen && rest[1] === hyphen
  let at = last ? 2 : 0
  while (rest[at] === space || rest[at] === tab) at++
  if (rest[at] === carriageReturn && rest[at + 1] === lineFeed) return { bytes: at, last }
  // The line end of the last line may be missing.
  if (last && isAll && at === rest.length) return { bytes: at, last }
  return rest[at] === lineFeed ? 'line-feed' : 'content'
}
