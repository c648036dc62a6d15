import type { Kind } from './kinds.ts'

/** The three programs that read settings: `npm start`, the Worker, a media worker. */
export type Reader = 'start' | 'worker' | 'media'

/** What a default may depend on. */
export type Machine = { readonly cores: number }

type SettingNotes = {
  readonly readBy: readonly Reader[]
  /** Programs that cannot start without it. A setting with a fallback has none. */
  readonly neededBy?: readonly Reader[]
  /** In Markdown; `--help` leaves the marks out. */
  readonly meaning: string
  /** The text that is used when the setting is absent. */
  readonly fallback?: string | ((machine: Machine) => string)
  /** Shown to people instead, where the fallback itself would not tell them enough. */
  readonly shownFallback?: string
  /** Present where an operator of `npm start` may set it; `npm start` sets all others by itself. */
  readonly example?: string
  readonly isSecret?: true
}

export type Setting<Value = unknown> = SettingNotes & { readonly kind: Kind<Value> }

type NotedSetting<Value, Notes> = Notes & { readonly kind: Kind<Value> }

export function setting<Value, const Notes extends SettingNotes>(
  kind: Kind<Value>,
  notes: Notes,
): NotedSetting<Value, Notes> {
  return { ...notes, kind }
}

/** Defines settings that only this program reads. */
function readOnlyBy<const R extends Reader>(reader: R) {
  return <Value, const Notes extends Omit<SettingNotes, 'readBy'>>(
    kind: Kind<Value>,
    notes: Notes,
  ): NotedSetting<Value, Notes & { readonly readBy: readonly [R] }> => ({
    ...notes,
    ...{ kind, readBy: [reader] },
  })
}

export const startSetting = readOnlyBy('start')
export const workerSetting = readOnlyBy('worker')
export const mediaSetting = readOnlyBy('media')
