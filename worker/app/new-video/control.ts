export type Scalar = string | number | boolean

/** What somebody enters one value with, as plain data. */
export type Control =
  | { kind: 'flag'; initial: boolean }
  /** Without `initial`, nothing may be chosen. */
  | { kind: 'choice'; values: readonly Scalar[]; initial?: Scalar; unit: string }
  | { kind: 'number'; initial?: number; min?: number; max?: number; whole: boolean; unit: string }
  | { kind: 'text'; initial?: string; looks: TextLook; longest?: number; example?: string }
  /** A number, or a text such as a percentage. */
  | { kind: 'mixed'; example?: string }
  | { kind: 'fixed'; value: Scalar }
  /** Anything that has no control of its own is written as JSON. */
  | { kind: 'json'; initial?: unknown; example?: string }
  | { kind: 'group'; fields: readonly Field[] }
  | { kind: 'list'; kinds: readonly ItemKind[]; most?: number }

export type TextLook = 'line' | 'address' | 'colour'

/** One kind of item that a list takes. A list of plain objects has one kind, without a name. */
export type ItemKind = { name?: string; fields: readonly Field[] }

export type Field = {
  /** As the API names it. */
  name: string
  label: string
  hint?: string
  isRequired: boolean
  control: Control
}
