/** What the system calls a failure, such as ENOENT; undefined for an error of any other kind. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
