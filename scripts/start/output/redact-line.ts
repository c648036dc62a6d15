/**
 * Removes from a line what would let a reader of the log open a file or an upload, or sign in: the tokens of links and
 * of part addresses, which wrangler prints with every request, and the query of a presigned address. Signed values are also
 * recognised anywhere by their signature. A JSON line stays valid, because nothing beyond a quote is removed.
 */
export function redactLine(line: string): string {
  return line
    .replace(/\/(files|parts)\/[^/\s"'\\?#]+/gi, '/$1/…')
    .replace(
      /\/app\/(link|reset|sign-up|invitations|settings\/email)\/[^/\s"'\\?#]+/gi,
      '/app/$1/…',
    )
    .replace(/[^/\s"'\\=]*\.[0-9a-f]{64}(?![0-9a-f])/gi, '…')
    .replace(/\?[^\s"'\\<>?]*X-Amz-Signature[^\s"'\\<>]*/gi, '')
}
