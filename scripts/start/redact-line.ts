/**
 * Takes out of a line what would open a file or an upload to a reader of the log: the tokens of links and of addresses
 * for parts, which wrangler prints with every request, and the query of a presigned address. What is signed is known by
 * its signature too, wherever it stands. A JSON line stays one: nothing is taken beyond a quote.
 */
export function redactLine(line: string): string {
  return line
    .replace(/\/(files|parts)\/[^/\s"'\\?#]+/gi, '/$1/…')
    .replace(/[^/\s"'\\=]*\.[0-9a-f]{64}(?![0-9a-f])/gi, '…')
    .replace(/\?[^\s"'\\<>?]*X-Amz-Signature[^\s"'\\<>]*/gi, '')
}
