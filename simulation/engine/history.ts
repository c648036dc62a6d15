import { createHash } from 'node:crypto'

/** The events of a world, a line for each. The same seed gives the same lines, so their hash tells two histories apart. */
export class History {
  readonly lines: string[] = []
  readonly #hash = createHash('sha256')
  readonly #now: () => number
  #count = 0
  #unhashed = ''
  readonly #keeps: boolean

  /** `keeps`: whether the lines are kept for a diary. The hash does not need them. */
  constructor(now: () => number, keeps: boolean) {
    this.#now = now
    this.#keeps = keeps
  }

  get count(): number {
    return this.#count
  }

  note(who: string, what: string): void {
    const line = `${this.#now().toFixed(3)} ${who}: ${what}`
    this.#count++
    this.#unhashed += `${line}\n`
    if (this.#unhashed.length > 65_536) this.#flush()
    if (this.#keeps) this.lines.push(line)
  }

  hash(): string {
    this.#flush()
    return this.#hash.copy().digest('hex')
  }

  #flush(): void {
    this.#hash.update(this.#unhashed)
    this.#unhashed = ''
  }
}

/** For a world with far too many events to write down. */
export class NoHistory extends History {
  constructor() {
    super(() => 0, false)
  }

  override note(): void {
    // Nothing is kept.
  }
}
