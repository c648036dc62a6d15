import {
  ApiError,
  ConnectionError,
  SpoolError,
  TimeoutError,
  VideoFailedError,
  type Fault,
} from '../../errors.ts'
import { CommandError } from './command-error.ts'
import { exitCodes, type ExitCode } from './exit-code.ts'

export type Failure = {
  exitCode: ExitCode
  message: string
  /** What is wrong with which flag or field. */
  faults: readonly Fault[]
  hints: readonly string[]
  /** Only for a program error: where it happened. */
  stack?: string | undefined
  error?: ApiError
}

/** What went wrong, as a person should read it, and the exit code of its kind. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { exitCode, message, hints } = error
    return { exitCode, message, faults: [], hints }
  }
  if (error instanceof ApiError) return ofApi(error)
  if (error instanceof VideoFailedError) return ofVideo(error)
  if (error instanceof ConnectionError || error instanceof TimeoutError) {
    return plain(exitCodes.unreachable, error.message, ['Is the service running at that address?'])
  }
  // What the client says about a source: an empty file, a folder, a file that became shorter.
  if (error instanceof SpoolError) return plain(exitCodes.localFile, error.message)
  if (error instanceof Error && 'code' in error && 'syscall' in error) {
    return plain(exitCodes.localFile, fileMessage(error as NodeJS.ErrnoException))
  }
  return { ...plain(exitCodes.internal, messageOf(error)), stack: stackOf(error) }
}

function plain(exitCode: ExitCode, message: string, hints: readonly string[] = []): Failure {
  return { exitCode, message, faults: [], hints }
}

function ofApi(error: ApiError): Failure {
  const { status, message, faults, requestId } = error
  const hints = status >= 500 && requestId ? [`Quote ${requestId} when you report this.`] : []
  if (error.code === 'Unrecognized' && status < 500)
    hints.push(
      'Check the address: --base-url, SPOOL_BASE_URL, or the one that `spool login` has kept.',
    )
  else if (status === 401)
    hints.push('Log in with a valid key: `spool login`, or SPOOL_API_KEY if that is set.')
  return { exitCode: exitCodeOf(error), message, faults, hints, error }
}

function exitCodeOf({ status, code }: ApiError): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed
  if (status === 404 && code === 'NotFound') return exitCodes.notFound
  if (status === 429) return exitCodes.tooMany
  if (status >= 500 || code === 'Unrecognized') return exitCodes.unreachable
  return exitCodes.refused
}

function ofVideo({ video, message }: VideoFailedError): Failure {
  if (video.status === 'canceled') return plain(exitCodes.videoCanceled, message)
  const hints = video.reason === undefined ? [] : [`Reason: ${video.reason}`]
  return plain(exitCodes.videoFailed, message, hints)
}

const fileMessages: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
}

function fileMessage({ code = '', path, message }: NodeJS.ErrnoException): string {
  const said = fileMessages[code]
  return said && path ? `${path}: ${said}.` : message
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined
}
