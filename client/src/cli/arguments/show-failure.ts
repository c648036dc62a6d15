import type { Fault } from '../../errors.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Failure } from '../session/failure.ts'
import type { Screen } from '../terminal/screen.ts'
import { plainText, wrapText } from '../terminal/text-width.ts'
import { flagsOf, type Command, type Typed } from './command.ts'

/** What was asked for on the command line, once that is known. */
export type CommandCall = { command: Command; given: Typed }

/** Writes a failure for people, or as JSON. */
export function showFailure(
  failure: Failure,
  screen: Screen,
  { json, asked }: { json: boolean; asked: CommandCall | undefined },
): void {
  const { message, hints, exitCode, error } = failure
  const faults = failure.faults.map((fault) => ({
    ...fault,
    flag: asked && nameOfPath(fault.path, asked),
  }))
  if (json) {
    const { status, code, requestId, retryAfterSeconds } = error ?? {}
    const facts = { error: code ?? kindOf(exitCode), message, status, requestId, retryAfterSeconds }
    screen.warn(JSON.stringify({ ...facts, faults, hints, exitCode }))
    return
  }
  const { red, bold, dim } = screen.notePaint
  // The message of the service repeats the first fault, in the words of the API.
  const text = faults.length > 0 ? 'The service has refused this:' : plainText(message)
  // Stopping the program is not an error.
  const head = exitCode === exitCodes.interrupted ? '' : `${red(bold('error:'))} `
  screen.warn(`${head}${wrapped(text, screen.noteColumns)}`)
  for (const { flag, path, message: why } of faults) {
    screen.warn(`  ${bold(flag ?? plainText(path))}  ${plainText(why)}`)
  }
  for (const hint of hints) screen.warn(wrapped(hint, screen.noteColumns))
  if (failure.stack !== undefined) screen.warn(dim(failure.stack))
}

function wrapped(text: string, columns: number | undefined): string {
  return columns === undefined ? text : wrapText(text, columns - 8).join('\n')
}

/** For programs, in place of the code that the service gives. */
function kindOf(exitCode: Failure['exitCode']): string {
  const kinds: Partial<Record<number, string>> = {
    2: 'Usage',
    3: 'NotAllowed',
    4: 'NotFound',
    5: 'Refused',
    6: 'VideoFailed',
    7: 'VideoCanceled',
    8: 'Unreachable',
    10: 'LocalFile',
    130: 'Interrupted',
  }
  return kinds[exitCode] ?? 'Internal'
}

/**
 * What gave the field of a fault, as the person typed it: `elements[2].position.anchor` came from the third --elements,
 * `webhookUrl` from the URL of `webhooks test`.
 */
function nameOfPath(path: Fault['path'], { command, given }: CommandCall): string | undefined {
  // The fields of a preset are below `fields`; the flags are the same.
  const [, field = '', index, rest = ''] =
    /^(?:fields\.)?(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? []
  const flag = flagsOf(command).find(({ name }) => camelCase(name) === field)
  const { positionals } = command
  if (positionals?.fields?.includes(field) && !(flag && given.has(flag.name))) {
    const typed = given.positionals[Number(index ?? 0)]
    return positionals.most === 1 ? positionals.name : typed
  }
  if (!flag) return undefined
  const place = index === undefined ? '' : ` (${ordinal(Number(index) + 1)})`
  return `--${flag.name}${place}${rest === '' ? '' : ` ${rest}`}`
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function ordinal(number: number): string {
  const isTeen = number % 100 >= 11 && number % 100 <= 13
  const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]
  return `${number}${ending ?? 'th'}`
}
