import type { FieldFault } from '../../../contract/answers/errors.ts'
import type { Request } from '../request/build-request.ts'

export type Scalar = string | number | boolean

/** What somebody enters one value with, as plain data. */
export type Control =
  /** Without `initial`, one that is not ticked says nothing. */
  | { kind: 'flag'; initial?: boolean }
  /** What is `usual` is chosen by saying nothing. Without it and `initial`, nothing may be chosen. */
  | {
      kind: 'choice'
      values: readonly Scalar[]
      initial?: Scalar
      usual?: Scalar
      unit: string
      names?: Readonly<Record<string, string>>
      /** What it is called that none of them is chosen. */
      unset?: string
      /** Where none of the places is meant, but one that a hand chose in the preview: an object such as `{"y": "62%"}`. */
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
  | { kind: 'text'; initial?: string; looks: TextLook; longest?: number; example?: string }
  /** A number, or a text such as a percentage. */
  | { kind: 'mixed'; example?: string }
  /** Seconds, as a number or as minutes and seconds. */
  | { kind: 'time'; example: string }
  | { kind: 'fixed'; value: Scalar }
  /** Things that are said, one in a line. */
  | { kind: 'phrases'; example?: string }
  /** What terms become: a term in each line, and after a mark what it becomes. */
  | { kind: 'terms'; example?: string }
  /** Anything that has no control of its own is written as JSON. */
  | { kind: 'json'; initial?: unknown; example?: string }
  /** With a switch, the group is given as soon as it is on, whatever is in it. */
  | { kind: 'group'; fields: readonly Field[]; isSwitched: boolean }
  | { kind: 'list'; kinds: readonly ItemKind[]; most?: number }

type TextLook = 'line' | 'lines' | 'address' | 'colour'

/** One kind of item that a list takes. A list of plain objects has one kind, without a name. */
export type ItemKind = { name?: string; label?: string; fields: readonly Field[] }

export type Field = {
  /** As the API names it. */
  name: string
  label: string
  hint?: string
  isRequired: boolean
  /** Folded away until somebody looks for it, or somebody who writes programs. */
  isRare?: true | 'developers'
  control: Control
}

/** What the form shows: the values of its controls, and what is wrong with them. */
export type Filled = {
  request: Request
  faults: readonly FieldFault[]
}

export function faultAt({ faults }: Filled, path: string): string | undefined {
  const messages = faults.filter(({ field }) => field === path).map(({ message }) => message)
  return messages.length === 0 ? undefined : messages.join('. ')
}

/** The head of the list of faults. */
export function countFaults(count: number): string {
  return count === 1 ? 'One thing has to be changed:' : `${count} things have to be changed:`
}
