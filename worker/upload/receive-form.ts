import { AppError } from '../contract/answers/errors.ts'
import { hex } from '../contract/keyed-hash.ts'
import type { SoundSource, SourceFormat } from '../contract/video/sniff-format.ts'
import type { ByteSource, Loan } from './byte-window.ts'
import { FormFields, type FormOptions, type FormRules } from './form-fields.ts'
import { judgeFile } from './judge-file.ts'
import { FormParser } from './parse-form.ts'
import type { PartHead } from './part-headers.ts'
import { fileField, uploadShape } from './upload-shape.ts'

/** Where the file goes. `begin` is called once the format is known. The sink gives every loan back. */
export type FileSink = {
  begin(file: { fileName: string; format: SourceFormat | SoundSource }): Promise<void>
  write(loan: Loan): Promise<void>
}

export type FormRequest = {
  source: ByteSource
  boundary: string
  maxFileBytes: number
  rules: FormRules
}

export type ReceivedForm = FormOptions & { fileName: string; sha256: string }

/**
 * Reads a form to its end: its file goes to the sink as it arrives, and its fields are returned. The first fault ends
 * it.
 */
export async function receiveForm(request: FormRequest, sink: FileSink): Promise<ReceivedForm> {
  const parser = await FormParser.open(request.source, {
    ...uploadShape,
    boundary: request.boundary,
  })
  const fields = new FormFields(request.rules)
  const file = new ArrivingFile(request, sink)
  for await (const event of parser.events()) {
    switch (event.type) {
      case 'part':
        await fields.begin(event.head)
        if (event.head.name === fileField) file.head = event.head
        break
      case 'text':
        fields.add(event.text)
        break
      case 'file-head':
        await file.begin(event.bytes)
        break
      case 'file-bytes':
        await file.write(event.loan)
        break
      case 'form-end':
        break
    }
  }
  const options = await fields.finish()
  return { ...options, fileName: file.fileName, sha256: await file.sha256() }
}

class ArrivingFile {
  head: PartHead = { name: fileField, fileName: undefined, isFile: true }
  readonly #sink: FileSink
  readonly #maxBytes: number
  readonly #digest = new crypto.DigestStream('SHA-256')
  readonly #digestWriter = this.#digest.getWriter()
  #bytes = 0

  constructor(request: FormRequest, sink: FileSink) {
    this.#sink = sink
    this.#maxBytes = request.maxFileBytes
  }

  get fileName(): string {
    return this.head.fileName ?? ''
  }

  async begin(leadingBytes: Uint8Array): Promise<void> {
    const format = await judgeFile(this.head, leadingBytes)
    await this.#sink.begin({ fileName: this.fileName, format })
  }

  async write(loan: Loan): Promise<void> {
    this.#bytes += loan.bytes.length
    if (this.#bytes > this.#maxBytes) throw tooLarge(this.#maxBytes)
    await this.#digestWriter.write(loan.bytes)
    await this.#sink.write(loan)
  }

  async sha256(): Promise<string> {
    await this.#digestWriter.close()
    return hex(new Uint8Array(await this.#digest.digest))
  }
}

export function tooLarge(maxBytes: number): AppError {
  const message = `Must have at most ${maxBytes} bytes`
  return new AppError('PayloadTooLarge', `file: ${message}.`, {
    details: [{ field: fileField, message }],
  })
}
