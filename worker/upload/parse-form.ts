import { invalidRequest, type AppError } from '../contract/answers/errors.ts'
import { sniffBytes } from '../contract/video/sniff-format.ts'
import { BufferPool } from './buffer-pool.ts'
import { BodyWindow, type ByteSource, type Loan } from './byte-window.ts'
import { delimiterOf, lookaheadBytes, readDelimiterLine } from './delimiter-line.ts'
import { malformed, readPartHead, type PartHead } from './part-headers.ts'

/** The content of a form, in the order it was sent. Every part begins with `part`; then comes its text or its file. */
type FormEvent =
  | { type: 'part'; head: PartHead }
  | { type: 'text'; text: string }
  /** The leading bytes: enough to detect the format, or the whole file. Valid until the next event is read. */
  | { type: 'file-head'; bytes: Uint8Array }
  /** Every stretch of a file but the last has `stretchBytes`. Give each one back: the number of buffers is fixed. */
  | { type: 'file-bytes'; loan: Loan; last: boolean }
  | { type: 'form-end' }

type State = 'preamble' | 'delimiter' | 'head' | 'text' | 'file-head' | 'file' | 'form-end' | 'end'
type FormStep = { state: State; event?: FormEvent }

export type FormShape = {
  boundary: string
  /** The field whose content comes as bytes; all others are text. */
  fileField: string
  stretchBytes: number
  /** How many stretches may be lent out at once. */
  loans: number
  maxParts: number
  maxHeadBytes: number
  /** The limit for all fields together. */
  maxTextBytes: number
}

const newline = new TextEncoder().encode('\r\n')
const emptyLine = new TextEncoder().encode('\r\n\r\n')
const emptyLineOfUnix = new TextEncoder().encode('\n\n')

/** Parses a multipart/form-data body as a state machine: one method per state, which returns the next state. */
export class FormParser {
  readonly #shape: FormShape
  readonly #delimiter: Uint8Array
  readonly #window: BodyWindow
  #delimiterLine = { bytes: 0, last: false }
  #field = ''
  #parts = 0
  #textBytes = 0

  private constructor(shape: FormShape, delimiter: Uint8Array, window: BodyWindow) {
    this.#shape = shape
    this.#delimiter = delimiter
    this.#window = window
  }

  static async open(source: ByteSource, shape: FormShape): Promise<FormParser> {
    const delimiter = delimiterOf(shape.boundary)
    const { stretchBytes, maxHeadBytes, maxTextBytes } = shape
    const content = Math.max(stretchBytes, maxHeadBytes, maxTextBytes, sniffBytes)
    const bufferBytes = content + delimiter.length + lookaheadBytes
    const pool = new BufferPool(bufferBytes, shape.loans + 1)
    // The body may begin with the first boundary; the line end that belongs to it is then missing.
    return new FormParser(shape, delimiter, await BodyWindow.open(source, pool, newline))
  }

  async *events(): AsyncGenerator<FormEvent, void> {
    for (let state: State = 'preamble'; state !== 'end';) {
      const step: FormStep = await this.#step(state)
      if (step.event) yield step.event
      state = step.state
    }
  }

  async #step(state: Exclude<State, 'end'>): Promise<FormStep> {
    switch (state) {
      case 'preamble':
        return this.#skipPreamble()
      case 'delimiter':
        return this.#passDelimiter()
      case 'head':
        return this.#readHead()
      case 'text':
        return this.#readText()
      case 'file-head':
        return this.#peekAtFile()
      case 'file':
        return this.#readFile()
      case 'form-end':
        return { state: 'end', event: { type: 'form-end' } }
    }
  }

  /** Skips the text before the first boundary, which is meant for readers that do not know forms. */
  async #skipPreamble(): Promise<FormStep> {
    const at = await this.#findDelimiter(this.#shape.maxHeadBytes)
    if (at === undefined) {
      const isEmpty = this.#window.length === newline.length
      throw malformed(
        isEmpty ? 'Must not be empty' : 'Must begin with the boundary that the Content-Type names',
      )
    }
    this.#window.drop(at)
    return { state: 'delimiter' }
  }

  async #passDelimiter(): Promise<FormStep> {
    const { bytes, last } = this.#delimiterLine
    this.#window.drop(bytes)
    if (last) return { state: 'form-end' }
    const { maxParts } = this.#shape
    if (this.#parts === maxParts) throw malformed(`Must have at most ${maxParts} parts`)
    this.#parts++
    return { state: 'head' }
  }

  /** The line end of the boundary is still in the window: it is half of the empty line of a part without headers. */
  async #readHead(): Promise<FormStep> {
    const { maxHeadBytes, fileField } = this.#shape
    const window = this.#window
    const most = newline.length + maxHeadBytes
    let end = window.indexOf(emptyLine)
    while (end < 0 && !window.ended && window.length < most + emptyLine.length) {
      const from = Math.max(0, window.length - emptyLine.length + 1)
      await window.fill(window.length + 1)
      end = window.indexOf(emptyLine, from)
    }
    if (end < 0 && window.indexOf(emptyLineOfUnix) >= 0) throw unixLines()
    if (end < 0 && window.ended) throw cutOff()
    if (end < 0 || end > most) {
      throw malformed(`Must have at most ${maxHeadBytes} bytes of headers in a part`)
    }
    const head = readPartHead(window.bytes.subarray(0, end))
    window.drop(end + emptyLine.length)
    this.#field = head.name
    const isFile = head.name === fileField
    return { state: isFile ? 'file-head' : 'text', event: { type: 'part', head } }
  }

  async #readText(): Promise<FormStep> {
    const { maxTextBytes } = this.#shape
    const end = await this.#findDelimiter(maxTextBytes - this.#textBytes)
    if (end === undefined) {
      if (this.#window.ended && this.#window.length <= maxTextBytes - this.#textBytes)
        throw cutOff()
      throw malformed(`Must have at most ${maxTextBytes} bytes of text in its fields`)
    }
    this.#textBytes += end
    const text = decodeText(this.#field, this.#window.bytes.subarray(0, end))
    this.#window.drop(end)
    return { state: 'delimiter', event: { type: 'text', text } }
  }

  async #peekAtFile(): Promise<FormStep> {
    await this.#window.fill(sniffBytes + this.#delimiter.length)
    const end = await this.#findDelimiter(sniffBytes)
    if (end === undefined && this.#window.length < sniffBytes) throw cutOff()
    const bytes = this.#window.bytes.subarray(0, end ?? sniffBytes)
    return { state: 'file', event: { type: 'file-head', bytes } }
  }

  async #readFile(): Promise<FormStep> {
    const { stretchBytes } = this.#shape
    // One read for a whole stretch is faster than many small ones.
    await this.#window.fill(stretchBytes + this.#delimiter.length + lookaheadBytes)
    const end = await this.#findDelimiter(stretchBytes)
    if (end === undefined && this.#window.length <= stretchBytes) throw cutOff()
    const loan = await this.#window.lend(end ?? stretchBytes)
    const last = end !== undefined
    return {
      state: last ? 'delimiter' : 'file',
      event: { type: 'file-bytes', loan, last },
    }
  }

  /**
   * The position at which a whole line with the boundary begins, at most `limit` bytes from here; reads until that is
   * known. A boundary with anything else after it on the line is content.
   */
  async #findDelimiter(limit: number): Promise<number | undefined> {
    const window = this.#window
    for (let from = 0; ;) {
      const at = window.indexOf(this.#delimiter, from)
      if (at > limit) return undefined
      if (at < 0) {
        if (window.ended || window.length >= limit + this.#delimiter.length) return undefined
        from = Math.max(0, window.length - this.#delimiter.length + 1)
        await window.fill(window.length + 1)
        continue
      }
      const lineStart = at + this.#delimiter.length
      await window.fill(lineStart + lookaheadBytes)
      const rest = window.bytes.subarray(lineStart, lineStart + lookaheadBytes)
      const line = readDelimiterLine(rest, window.ended && window.length <= lineStart + rest.length)
      if (line === 'line-feed' && this.#parts === 0) throw unixLines()
      if (typeof line === 'object') {
        this.#delimiterLine = { bytes: this.#delimiter.length + line.bytes, last: line.last }
        return at
      }
      from = at + 1
    }
  }
}

function cutOff(): AppError {
  return malformed('Must end with its closing boundary, but was cut off before it')
}

function unixLines(): AppError {
  return malformed('Must have lines that end with CR LF (\\r\\n), not with LF alone')
}

export function decodeText(field: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidRequest([{ field: field.slice(0, 100), message: 'Must be UTF-8 text' }])
  }
}
