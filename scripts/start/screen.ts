/** The part of a terminal that is needed here. */
export type Output = {
  readonly isTTY?: boolean
  readonly columns?: number
  write: (text: string) => unknown
}

/** Lines that stay, and below them lines that move: those only on a terminal. */
export class Screen {
  readonly #output: Output
  #moving: readonly string[] = []

  constructor(output: Output) {
    this.#output = output
  }

  /** A line that stays. */
  say(line: string): void {
    this.#output.write(this.#erased() + line + '\n' + this.#drawn())
  }

  /** A line that stays where nothing can move. */
  sayPlain(line: string): void {
    if (!this.#output.isTTY) this.say(line)
  }

  /** Replaces the lines that move. */
  show(lines: readonly string[]): void {
    if (!this.#output.isTTY) return
    const before = this.#erased()
    this.#moving = lines.map((line) => this.#fitted(line))
    this.#output.write(before + this.#drawn())
  }

  /** https://en.wikipedia.org/wiki/ANSI_escape_code#CSI: up by the lines, to the first column, all below removed. */
  #erased(): string {
    return this.#moving.length === 0 ? '' : `\u001b[${this.#moving.length}A\r\u001b[J`
  }

  #drawn(): string {
    return this.#moving.map((line) => `${line}\n`).join('')
  }

  /** A line that wraps would be two, and only one of them would be removed. */
  #fitted(line: string): string {
    const columns = this.#output.columns ?? 80
    return [...line].slice(0, columns - 1).join('')
  }
}
