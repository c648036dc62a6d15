import type { Kind } from './kinds.ts'

/** The three programs that read settings: `npm start`, the Worker, a media worker. */
export type Reader = 'start' | 'worker' | 'media'

/** What a default may depend on. */
export type Machine = { readonly cores: number }

export type SettingNotes = {
  readonly readBy: readonly Reader[]
  /** Readers that cannot begin without it; never those of a setting with a fallback. */
  readonly neededBy?: readonly Reader[]
  /** In Markdown; `--help` leaves the marks out. */
  readonly meaning: string
  /** The text that stands for an absent one. */
  readonly fallback?: string | ((machine: Machine) => string)
  /** What people read in its place, where the text alone would not tell them. */
  readonly shownFallback?: string
  /** Present where an operator of `npm start` may set it; `npm start` sets all others by itself. */
  readonly example?: string
  readonly isSecret?: true
}

export type Setting<Value = unknown> = SettingNotes & { readonly kind: Kind<Value> }

export function setting<Value, const Notes extends SettingNotes>(
  kind: Kind<Value>,
  notes: Notes,
): Notes & { readonly kind: Kind<Value> } {
  return { ...notes, kind }
}
