/** Blanks that may follow a boundary on its line. RFC 2046 sets no limit; nobody sends any. */
const maxPadding = 64

/** How many bytes after a boundary tell whether its line is a delimiter: two hyphens, blanks, the line end. */
export const lookaheadBytes = 2 + maxPadding + 2

const [tab, lineFeed, carriageReturn, space, hyphen] = [9, 10, 13, 32, 45]

/** What stands between two parts. The line end before it belongs to it, and not to the content. */
export function delimiterOf(boundary: string): Uint8Array {
  return new TextEncoder().encode(`\r\n--${boundary}`)
}

/** `bytes` is how much of the line is passed over; its line end is not among them. */
type DelimiterLine = { bytes: number; last: boolean }

/**
 * What the rest of a line behind the boundary makes of it: a delimiter, or content that looks like one. `line-feed` is
 * content as well, but says what its sender meant.
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
