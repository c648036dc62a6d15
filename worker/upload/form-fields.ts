import type { z } from 'zod'
import { uploadVideo } from '../contract/options/create-video.ts'
import { AppError, invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { decodeFormFields, explainMisread } from '../contract/options/form-fields.ts'
import { limits } from '../contract/limits.ts'
import { outputFaults } from '../contract/options/outputs/outputs.ts'
import { destinationFaults } from '../contract/storages/destination.ts'
import { parseInput } from '../contract/input/parse-input.ts'
import { presetNamedIn, tellOrigins, type FilledRequest } from '../service/videos/apply-preset.ts'
import { isUtf8 } from './form-boundary.ts'
import type { PartHead } from './part-headers.ts'
import { fileField } from './upload-shape.ts'

type UploadFields = z.infer<typeof uploadVideo>

/** Checks that the schema of a form cannot make. */
export type FormRules = {
  /** Fills in what the fields leave out, as their preset says. */
  fill: (fields: unknown) => Promise<FilledRequest>
  /** Finds faults in decoded fields, such as addresses that are not allowed. */
  check: (fields: unknown) => FieldFault[]
  /** Finds faults in valid options, such as a storage that does not exist. */
  judge: (options: UploadFields) => Promise<FieldFault[]>
}

/** The options of a form, and its fields as they were sent if a preset has filled them in. */
export type FormOptions = { options: UploadFields; sent: unknown }

/**
 * Collects the fields of an upload as they arrive. Faults are collected too, and reported together when the form has to
 * be refused.
 */
export class FormFields {
  readonly #texts = new Map<string, string>()
  readonly #twice = new Set<string>()
  readonly #rules: FormRules
  #hasFile = false
  #name = ''

  constructor(rules: FormRules) {
    this.#rules = rules
  }

  /**
   * Call this when a part begins. If it is the file, everything before it must be right, or the file is not read at
   * all.
   */
  async begin({ name, isFile }: PartHead): Promise<void> {
    this.#name = name
    if (name === fileField) {
      if (this.#hasFile) {
        throw invalidRequest([{ field: fileField, message: 'Must be sent once, not twice' }])
      }
      this.#hasFile = true
      this.#refuse((await this.#parse()).faults)
    } else if (isFile && !Object.hasOwn(uploadVideo.shape, name)) {
      // This is most likely the video under another name, so it is not worth reading as text.
      const message = `Unknown field; send the video as ${fileField}`
      this.#refuse([...(await this.#parse()).faults, { field: name.slice(0, 100), message }])
    }
  }

  /** Adds the text of the part that began last. */
  add(text: string): void {
    const name = this.#name
    if (this.#texts.has(name)) this.#twice.add(name)
    // RFC 7578, 4.6: this field names the character set of the form and is not an option.
    else if (name !== '_charset_' || !isUtf8(text)) this.#texts.set(name, text)
  }

  /** Call this when the whole form was read. */
  async finish(): Promise<FormOptions> {
    const { options, sent, faults } = await this.#parse()
    const missing = { field: fileField, message: 'Required: the video as a file' }
    this.#refuse(this.#hasFile ? faults : [...faults, missing])
    if (!options) throw new AppError('InternalError')
    return { options, sent }
  }

  async #parse(): Promise<Partial<FormOptions> & { faults: FieldFault[] }> {
    const decoded = decodeFormFields(uploadVideo, Object.fromEntries(this.#texts))
    const filled = await this.#rules.fill(decoded)
    const parsed = parseInput(uploadVideo, filled.body)
    const inFields = [
      ...(parsed.ok
        ? [
            ...outputFaults(parsed.value),
            ...destinationFaults(parsed.value),
            ...(await this.#rules.judge(parsed.value)),
          ]
        : parsed.faults.map((fault) => this.#reworded(fault))),
      ...this.#rules.check(filled.body),
    ]
    const faults = [
      ...filled.faults,
      ...tellOrigins(inFields, filled),
      ...[...this.#twice].map((name) => ({
        field: name.slice(0, 100),
        message: 'Must be sent once, not twice',
      })),
    ]
    const sent = presetNamedIn(decoded) === undefined ? undefined : decoded
    return parsed.ok ? { options: parsed.value, sent, faults } : { faults }
  }

  #reworded({ field, message }: FieldFault): FieldFault {
    const text = this.#texts.get(field)
    const misread = text === undefined ? undefined : explainMisread(uploadVideo, field, text)
    return { field, message: misread ?? message }
  }

  #refuse(faults: FieldFault[]): void {
    if (faults.length > 0) throw invalidRequest(faults.slice(0, limits.reportedFaults))
  }
}
