import type { FieldFault } from '../../../contract/answers/errors.ts'
import type { Choices } from '../request/build-request.ts'

export type Scalar = string | number | boolean

/** The kind of control that a value is entered with, as plain data. */
export type Control =
  /** Without `initial`, a box that is not ticked sends nothing. */
  | { kind: 'flag'; initial?: boolean }
  /** The `usual` value is chosen by sending nothing. Without `usual` and `initial`, nothing may be chosen. */
  | {
      kind: 'choice'
      values: readonly Scalar[]
      initial?: Scalar
      usual?: Scalar
      unit: string
      names?: Readonly<Record<string, string>>
      /** The label for choosing none of them. */
      unset?: string
      /** Whether the preview can also set a position of its own: an object such as `{"y": "62%"}`. */
      byHand?: true
    }
  | {
      kind: 'number'
      initial?: number
      usual?: string
      min?: number
      max?: number
      whole: boolean
      unit: string
    }
  | { kind: 'text'; initial?: string; looks: TextControl; longest?: number; example?: string }
  /** A number, or a text such as a percentage. */
  | { kind: 'mixed'; example?: string }
  /** Seconds, as a number or as minutes and seconds. */
  | { kind: 'time'; example: string }
  | { kind: 'fixed'; value: Scalar }
  /** Words or phrases, one on each line. */
  | { kind: 'phrases'; example?: string }
  /** Replacements of terms: a term on each line, then a sign and what replaces it. */
  | { kind: 'terms'; example?: string }
  /** A value without a control of its own, written as JSON. */
  | { kind: 'json'; initial?: unknown; example?: string }
  /** A group with a switch is sent as soon as it is on, even if it is empty. */
  | { kind: 'group'; fields: readonly Field[]; isSwitched: boolean }
  | { kind: 'list'; kinds: readonly ItemKind[]; most?: number }

type TextControl = 'line' | 'lines' | 'address' | 'colour'

/** One kind of item that a list takes. A list of plain objects has one kind, without a name. */
export type ItemKind = { name?: string; label?: string; fields: readonly Field[] }

export type Field = {
  /** As the API names it. */
  name: string
  label: string
  hint?: string
  /** Folded away, because few people need it, or only those who write programs. */
  isRare?: true | 'developers'
  control: Control
}

/** The contents of the form: the values of its controls, and what is wrong with them. */
export type Filled = {
  request: Choices
  faults: readonly FieldFault[]
}

export function faultAt({ faults }: Filled, path: string): string | undefined {
  const messages = faults.filter(({ field }) => field === path).map(({ message }) => message)
  return messages.length === 0 ? undefined : messages.join('. ')
}

/** The heading of the list of faults. */
export function countFaults(count: number): string {
  return count === 1 ? 'One thing has to be changed:' : `${count} things have to be changed:`
}
