/** What a script can tell from the exit code; docs/cli.md explains each. */
export const exitCodes = {
  internal: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  refused: 5,
  videoFailed: 6,
  videoCanceled: 7,
  unreachable: 8,
  tooMany: 9,
  localFile: 10,
  interrupted: 130,
  brokenPipe: 141,
} as const
export type ExitCode = 0 | (typeof exitCodes)[keyof typeof exitCodes]
