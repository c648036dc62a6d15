/** The parts of `form-data; name="file"; filename="a.mp4"`. Names are in lower case; a name may occur twice. */
export type HeaderValue = { value: string; parameters: { name: string; value: string }[] }

const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
/** Every character matches in one way only; with two ways, a long row of backslashes would take exponential time. */
const quoted = /"((?:\\["\\]|\\(?!["\\])|[^"\\])*)"/y
/** Clients send spaces and letters of any script in values that should have been quoted. */
const bare = /[^;"]*/y

/** Undefined if the text does not have this form. */
export function parseHeaderValue(text: string): HeaderValue | undefined {
  const [value = ''] = text.split(';', 1)
  const parameters: HeaderValue['parameters'] = []
  let at = value.length
  while (at < text.length) {
    at = skipBlanks(text, at + 1)
    if (at >= text.length) break
    const name = match(token, text, at)
    if (name === undefined) return undefined
    at = skipBlanks(text, at + name[0].length)
    if (text[at] !== '=') return undefined
    at = skipBlanks(text, at + 1)
    const found = match(text[at] === '"' ? quoted : bare, text, at)
    if (found === undefined) return undefined
    parameters.push({ name: name[0].toLowerCase(), value: unescape(found) })
    at = skipBlanks(text, at + found[0].length)
    if (at < text.length && text[at] !== ';') return undefined
  }
  return { value: value.trim().toLowerCase(), parameters }
}

/** All values of a parameter; the caller refuses more than one. */
export function parametersOf({ parameters }: HeaderValue, name: string): string[] {
  return parameters.flatMap((parameter) => (parameter.name === name ? [parameter.value] : []))
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

/** Only \" and \\ are escapes: any other backslash is the separator that some systems put between folders. */
function unescape([whole, inner]: RegExpExecArray): string {
  return inner === undefined ? whole.trim() : inner.replace(/\\(["\\])/g, '$1')
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}
