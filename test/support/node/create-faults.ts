import type { FieldFault } from '../../../worker/contract/answers/errors.ts'
import { parseCreateVideo } from '../../../worker/contract/options/create-video.ts'

export const minimalBody = { fileUrl: 'https://example.com/talk.mp4' }

export const minimalImage = { type: 'image', url: 'https://example.com/logo.png' }

export function faultsOf(body: unknown): FieldFault[] {
  const parsed = parseCreateVideo(body)
  return parsed.ok ? [] : parsed.faults
}

/** The faulty fields, each once; none for a valid body. */
export function faultyFields(body: unknown): string[] {
  return [...new Set(faultsOf(body).map((fault) => fault.field))]
}

/** The faults of the minimal body with these fields added. */
export function faultyFieldsWith(fields: Record<string, unknown>): string[] {
  return faultyFields({ ...minimalBody, ...fields })
}

/** The faults of the minimal image with these fields added, without the path to the element. */
export function faultyElementFields(fields: Record<string, unknown>): string[] {
  const faulty = faultyFieldsWith({ elements: [{ ...minimalImage, ...fields }] })
  return faulty.map((field) => field.replace(/^elements\[0\]\.?/, ''))
}
