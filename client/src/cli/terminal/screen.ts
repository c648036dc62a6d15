import { knowsUnicode, makePaint, shownText, wantsColour, type Paint } from './paint.ts'

/** The part of a stream of Node that the command line uses. */
export type TerminalOutput = {
  write: (text: string) => boolean
  isTTY?: boolean | undefined
  columns?: number | undefined
  on: (event: 'resize', listener: () => void) => unknown
  off: (event: 'resize', listener: () => void) => unknown
}

type Streams = {
  stdout: TerminalOutput
  stderr: TerminalOutput
  env: Readonly<Record<string, string | undefined>>
  platform: string
}

const usualColumns = 80

/**
 * Results go to stdout, everything else to stderr, so that a pipe gets nothing but results. All that is written here is
 * escaped, because most of it is what a service or somebody else has said.
 */
export class Screen {
  readonly #streams: Streams
  readonly #isQuiet: boolean
  readonly isUnicode: boolean
  /** For stdout. */
  readonly paint: Paint
  /** For stderr. */
  readonly notePaint: Paint

  constructor(streams: Streams, { quiet = false, colour = true } = {}) {
    const { stdout, stderr, env, platform } = streams
    this.#streams = streams
    this.#isQuiet = quiet
    this.isUnicode = knowsUnicode(env, platform)
    this.paint = makePaint(colour && wantsColour(env, stdout.isTTY === true))
    this.notePaint = makePaint(colour && wantsColour(env, stderr.isTTY === true))
  }

  /** Columns of the terminal at this moment; undefined in a pipe. */
  get columns(): number | undefined {
    const { stdout } = this.#streams
    return stdout.isTTY ? stdout.columns || usualColumns : undefined
  }

  get noteColumns(): number | undefined {
    const { stderr } = this.#streams
    return stderr.isTTY ? stderr.columns || usualColumns : undefined
  }

  /** Whether lines on stderr may be drawn again in their place. */
  get isLively(): boolean {
    const { stderr, env } = this.#streams
    return stderr.isTTY === true && env['TERM'] !== 'dumb' && !this.#isQuiet
  }

  /** Lines of the result. */
  print(text: string): void {
    this.#streams.stdout.write(`${shownText(text)}\n`)
  }

  /** One line of the result, whatever is in what a service says. */
  printLine(text: string): void {
    this.print(inOneLine(text))
  }

  /** The content of a file: in a pipe or a file it is what it is. */
  printFile(text: string): void {
    if (this.#streams.stdout.isTTY) this.print(text)
    else this.#streams.stdout.write(`${text}\n`)
  }

  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, this.#streams.stdout.isTTY ? 2 : undefined))
  }

  /** A line for the person in front of it; `--quiet` leaves it out. */
  note(text: string): void {
    if (!this.#isQuiet) this.warn(inOneLine(text))
  }

  /** What must be seen even with `--quiet`. */
  warn(text: string): void {
    this.#streams.stderr.write(`${shownText(text)}\n`)
  }

  /** What is drawn again in its place: a text after the codes that move the cursor there. */
  draw(moves: string, text = ''): void {
    this.#streams.stderr.write(`${moves}${shownText(text)}`)
  }

  onResize(listener: () => void): () => void {
    this.#streams.stderr.on('resize', listener)
    return () => void this.#streams.stderr.off('resize', listener)
  }

  mark(kind: 'good' | 'bad'): string {
    const { green, red } = this.notePaint
    if (kind === 'good') return green(this.isUnicode ? '✓' : 'ok')
    return red(this.isUnicode ? '✗' : 'failed:')
  }
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\n\t]/g, ' ')
}
