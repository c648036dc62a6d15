import type { z } from 'zod'
import { jobSettings } from './job-settings.ts'
import { providerSettings } from './provider-settings.ts'
import { serviceSettings } from './service-settings.ts'
import type { Reader, Setting } from './setting.ts'

/** Every setting, defined once, in the order of `--help` and docs/operators/configuration.md. */
export const settingsTable = { ...serviceSettings, ...jobSettings, ...providerSettings }

type Table = typeof settingsTable
export type SettingName = keyof Table

type ReadBy<R extends Reader> = {
  [Name in SettingName]: R extends Table[Name]['readBy'][number] ? Name : never
}[SettingName]

type IsAlwaysThere<S, R extends Reader> = S extends { readonly fallback: unknown }
  ? true
  : S extends { readonly neededBy: readonly (infer Needing)[] }
    ? R extends Needing
      ? true
      : false
    : false

type ValueOf<S extends Setting, R extends Reader> =
  | z.infer<S['kind']>
  | (IsAlwaysThere<S, R> extends true ? never : undefined)

/** The settings that one program reads, with the types of their values. */
export type ValuesFor<R extends Reader> = {
  readonly [Name in ReadBy<R>]: ValueOf<Table[Name], R>
}

const entries: readonly (readonly [SettingName, Setting])[] = typedEntries()

function typedEntries() {
  // The table is written out here, so it has no other keys.
  return Object.entries(settingsTable) as [SettingName, Setting][]
}

export function settingsReadBy(reader: Reader): readonly (readonly [SettingName, Setting])[] {
  return entries.filter(([, { readBy }]) => readBy.includes(reader))
}

/** What an operator of `npm start` may set. */
export const operatorSettings = entries.filter(([, { example }]) => example !== undefined)

export const providerNames: readonly string[] = Object.keys(providerSettings)

/**
 * The secrets of a media worker. It reads them from a file descriptor, because its child processes could read its
 * environment.
 */
export const mediaSecretNames: readonly string[] = settingsReadBy('media')
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)

export function isSecretSetting(name: string): boolean {
  return entries.some(([known, { isSecret }]) => known === name && isSecret === true)
}
