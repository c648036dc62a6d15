import type { FieldFault } from '../answers/errors.ts'
import { fieldPath } from './field-path.ts'
import { limits } from '../limits.ts'

type ParsedJson = { ok: true; value: unknown } | { ok: false; fault: FieldFault }

/**
 * Parses JSON strictly: no duplicate keys, and nothing nested deeper than any request needs. `JSON.parse` does the
 * parsing, after a scan that never recurses and can say where and why a text is refused.
 */
export function parseJsonBody(text: string): ParsedJson {
  try {
    if (text.startsWith('\uFEFF')) throw new JsonFault('Must not begin with a byte order mark')
    if (text.trim() === '') throw new JsonFault('Must not be empty')
    scan(text)
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch (error) {
    const message = error instanceof JsonFault ? error.message : 'Is not valid JSON'
    return { ok: false, fault: { field: 'body', message } }
  }
}

class JsonFault extends Error {}

/**
 * An object or array whose end is not reached yet; `part` is the key or index being read, `keys` the keys of an object
 * so far.
 */
type Container = { part: string | number; keys?: Set<string> }

function scan(text: string): void {
  const open: Container[] = []
  let at = 0
  let values = 0
  do {
    // No request needs this many values, and each of them would have to be checked.
    if (++values > limits.jsonValues)
      throw new JsonFault(`Must have at most ${limits.jsonValues} values in all`)
    at = skipSpace(text, beginEntry(text, at, open))
    const bracket = text[at]
    if (bracket !== '{' && bracket !== '[') {
      at = endEntry(text, skipScalar(text, at), open)
      continue
    }
    if (open.length >= limits.jsonDepth)
      throw new JsonFault(`Must not be nested deeper than ${limits.jsonDepth} levels`)
    const isObject = bracket === '{'
    const inside = skipSpace(text, at + 1)
    if (text[inside] === (isObject ? '}' : ']')) {
      at = endEntry(text, inside + 1, open)
    } else {
      open.push(isObject ? { part: '', keys: new Set() } : { part: -1 })
      at = inside
    }
  } while (open.length > 0)
  at = skipSpace(text, at)
  if (at < text.length) throw syntaxFault(text, at, 'nothing more')
}

/** Moves to the value: past the key and colon of an object, or one index further in an array. */
function beginEntry(text: string, start: number, open: readonly Container[]): number {
  const container = open.at(-1)
  if (container === undefined) return start
  if (typeof container.part === 'number') {
    container.part++
    return start
  }
  const at = skipSpace(text, start)
  if (text[at] !== '"') throw syntaxFault(text, at, 'a key in double quotes')
  const end = skipString(text, at)
  container.part = readKey(text.slice(at, end))
  if (container.keys?.has(container.part)) throw duplicateFault(open)
  container.keys?.add(container.part)
  const colon = skipSpace(text, end)
  if (text[colon] !== ':') throw syntaxFault(text, colon, '":"')
  return colon + 1
}

/** Read as JSON.parse reads it: "a" and "\u0061" are the same key. */
function readKey(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
}

/** Moves past a comma, or past every container that ends here. */
function endEntry(text: string, start: number, open: Container[]): number {
  let at = start
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const closing = top.keys ? '}' : ']'
    at = skipSpace(text, at)
    if (text[at] === ',') return at + 1
    if (text[at] !== closing) throw syntaxFault(text, at, `"," or "${closing}"`)
    open.pop()
    at++
  }
  return at
}

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y

function skipScalar(text: string, start: number): number {
  if (text[start] === '"') return skipString(text, start)
  scalar.lastIndex = start
  if (!scalar.test(text)) throw syntaxFault(text, start, 'a value')
  return scalar.lastIndex
}

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Most strings have no escapes, and one match is enough to read them. */
const plainString = /"[^"\\\u0000-\u001f]*"/y

function skipString(text: string, start: number): number {
  plainString.lastIndex = start
  if (plainString.test(text)) return plainString.lastIndex
  let at = start + 1
  while (at < text.length && text[at] !== '"') {
    if (text.charCodeAt(at) < 0x20)
      throw syntaxFault(text, at, 'an escape such as \\n for a control character')
    if (text[at] !== '\\') {
      at++
      continue
    }
    escape.lastIndex = at
    if (!escape.test(text)) throw syntaxFault(text, at, 'a known escape such as \\n or \\u00e9')
    at = escape.lastIndex
  }
  if (at >= text.length) throw syntaxFault(text, at, 'a closing double quote')
  return at + 1
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

function syntaxFault(text: string, at: number, expected: string): JsonFault {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = (lines.at(-1)?.length ?? 0) + 1
  const where = at < text.length ? '' : ', where it ends'
  return new JsonFault(
    `Is not valid JSON: expected ${expected} at line ${lines.length}, column ${column}${where}`,
  )
}

function duplicateFault(open: readonly Container[]): JsonFault {
  return new JsonFault(`Must not give ${fieldPath(open.map(({ part }) => part))} twice`)
}
