import { exitCodes } from '../session/exit-code.ts'

const meanings: Record<keyof typeof exitCodes, string> = {
  internal: 'a mistake of this program',
  usage: 'the command line is wrong; nothing was done',
  notAllowed: 'not logged in, or the key may not do this',
  notFound: 'there is no such video, key or preset',
  refused: 'the service has refused the request; the error names what is wrong',
  videoFailed: 'the video failed; the error says why',
  videoCanceled: 'the video was canceled',
  unreachable: 'no answer, no Spool service at the address, or one that cannot work now',
  tooMany: 'too many requests for this key; the error says how long to wait',
  localFile: 'a file of this machine cannot be read or written, or exists already',
  interrupted: 'stopped by Ctrl-C or a signal',
  brokenPipe: 'the program that reads the output has ended',
}

/** `spool help exit-codes` */
export function exitCodeHelp(): string {
  const codes = Object.entries(exitCodes).map(([name, code]): [number, string] => [
    code,
    meanings[name as keyof typeof exitCodes],
  ])
  const lines = [[0, 'everything was done'] as const, ...codes].map(
    ([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`,
  )
  return ['Exit codes', ...lines].join('\n')
}
