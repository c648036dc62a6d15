import type { News, Teller } from './news.ts'

/** The part of a terminal that is needed here. */
type Output = {
  readonly isTTY?: boolean
  readonly columns?: number
  write: (text: string) => unknown
}

/** Prints lines that stay, and below them lines that change in place; those only on a terminal. */
export class Screen implements Teller {
  readonly #output: Output
  #moving: readonly string[] = []

  constructor(output: Output) {
    this.#output = output
  }

  get isLive(): boolean {
    return this.#output.isTTY === true
  }

  tell({ text }: News): void {
    if (text !== undefined) this.say(text)
  }

  /** Prints a line that stays. */
  say(line: string): void {
    this.#output.write(this.#erased() + line + '\n' + this.#drawn())
  }

  /** Replaces the lines that change in place. */
  show(lines: readonly string[]): void {
    if (!this.isLive) return
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

  /** Cuts a line to the width, because only one row of a wrapped line would be erased. */
  #fitted(line: string): string {
    const columns = this.#output.columns ?? 80
    return [...line].slice(0, columns - 1).join('')
  }
}
