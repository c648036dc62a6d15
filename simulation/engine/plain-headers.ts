type Given = Iterable<readonly string[]> | Record<string, string> | undefined | null

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** The headers of a request or an answer. Together with its Response, Node's own took a twentieth of a busy day. */
export class PlainHeaders {
  readonly #values = new Map<string, string[]>()

  constructor(given?: Given) {
    if (!given) return
    const isList = Symbol.iterator in given
    const all = isList ? (given as Iterable<readonly string[]>) : Object.entries(given)
    for (const [name = '', value = ''] of all) this.append(name, value)
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase())?.join(', ') ?? null
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase())
  }

  set(name: string, value: string): void {
    this.#values.set(named(name), [valued(value)])
  }

  append(name: string, value: string): void {
    const key = named(name)
    const known = this.#values.get(key)
    if (known) known.push(valued(value))
    else this.#values.set(key, [valued(value)])
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase())
  }

  getSetCookie(): string[] {
    return [...(this.#values.get('set-cookie') ?? [])]
  }

  /** The headers by name, with each cookie in an entry of its own. */
  *entries(): IterableIterator<[string, string]> {
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? []
      if (name !== 'set-cookie') yield [name, values.join(', ')]
      else for (const value of values) yield [name, value]
    }
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value
  }

  forEach(tell: (value: string, name: string, all: PlainHeaders) => void): void {
    for (const [name, value] of this.entries()) tell(value, name, this)
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
}

function named(name: string): string {
  if (!namePattern.test(name)) throw new TypeError(`Invalid header name: ${name}`)
  return name.toLowerCase()
}

function valued(value: unknown): string {
  const text = String(value).trim()
  if (!valuePattern.test(text)) throw new TypeError(`Invalid header value: ${text}`)
  return text
}
