/** The entries of a table that is written as lines of words. */
export function words(lines: string): string[] {
  return lines.trim().split(/\s+/)
}
