// oxlint-disable-next-line no-restricted-imports -- the one Node module that workerd has for this: context over awaits
import { AsyncLocalStorage } from 'node:async_hooks'
import { isolateMemory } from '../contract/isolate-memory.ts'

type LoggedAs = 'info' | 'warn' | 'error'

type Fields = Record<string, unknown>

const context = new AsyncLocalStorage<Fields>()

/**
 * Adds these fields, such as the id of a request or message, to every line that is logged during the work, however deep
 * inside.
 */
export async function withLogFields(fields: Fields, work: () => Promise<void>): Promise<void> {
  return context.run({ ...context.getStore(), ...fields }, work)
}

/** Writes one JSON object per line. Callers never pass keys, tokens, bodies or the addresses that customers name. */
export function log(level: LoggedAs, event: string, fields: Fields = {}): void {
  write(level, lineOf(level, event, fields))
}

function lineOf(level: LoggedAs, event: string, fields: Fields): string {
  const at = new Date().toISOString()
  return JSON.stringify({ level, event, at, ...context.getStore(), ...fields })
}

function write(level: LoggedAs, lines: string): void {
  // The one place where log lines leave the Worker.
  console[level](lines)
}

/** Lines that are about to be written, and until when a request is expected to come and write them. */
const waiting = isolateMemory(() => ({ lines: new Array<string>(), until: 0 }))
const waitMs = 100
const lateMs = 400
const mostWaiting = 100

/**
 * Writes an `info` line a moment later, together with those that have come by then: writing each one by itself would take
 * an eighth of a busy server's processor time for reads. On Cloudflare, lines belong to their request and must not wait.
 */
export function logTogether(
  event: string,
  fields: Fields,
  request: { waitUntil: (work: Promise<unknown>) => void },
): void {
  const { current } = waiting
  current.lines.push(lineOf('info', event, fields))
  if (current.lines.length >= mostWaiting) writeWaiting()
  const now = Date.now()
  // The request that was to write them may have been stopped: then this one does.
  if (current.lines.length === 0 || now < current.until) return
  current.until = now + waitMs + lateMs
  request.waitUntil(scheduler.wait(waitMs).then(writeWaiting))
}

function writeWaiting(): void {
  const { current } = waiting
  current.until = 0
  const lines = current.lines.splice(0)
  if (lines.length > 0) write('info', lines.join('\n'))
}

/** An error and its causes as text, for the log only. */
export function describeError(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: String(error) }
  const causes: string[] = []
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(cause.message)
  }
  return { error: error.message, stack: error.stack, ...(causes.length > 0 ? { causes } : {}) }
}

/** Logs a failure instead of throwing it, where nothing is lost: the work ends by itself, or is looked at again. */
export async function noted(event: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('warn', event, describeError(error))
  }
}
