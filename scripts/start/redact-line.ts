/**
 * Takes out of a line what would open a file to whoever reads the log: the token of a link, which wrangler prints with
 * every request, and the query of a presigned address. A JSON line stays one: nothing is taken beyond a quote.
 */
export function redactLine(line: string): string {
  return line
    .replace(/\/files\/[^/\s"'\\?#]+/gi, '/files/…')
    .replace(/\?[^\s"'\\<>?]*X-Amz-Signature[^\s"'\\<>]*/gi, '')
}
