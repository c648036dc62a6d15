import { limits } from '../contract/limits.ts'
import type { FormShape } from './parse-form.ts'

/** The one field that is not an option. */
export const fileField = 'file'

/**
 * R2 accepts parts of 5 MiB and more. Two are being stored while the third is filled, so an upload uses 15 MiB, and
 * five of them at once fit into an isolate.
 */
export const uploadShape = {
  fileField,
  stretchBytes: 5 * 1024 * 1024,
  loans: 2,
  maxParts: limits.formParts,
  maxHeadBytes: limits.partHeaderBytes,
  maxTextBytes: limits.formTextBytes,
} as const satisfies Omit<FormShape, 'boundary'>
