import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { readSettingsFor } from '../../worker/contract/settings/read-settings.ts'
import type { ValuesFor } from '../../worker/contract/settings/table.ts'

export type MediaSettings = Omit<ValuesFor<'media'>, 'SPOOL_WORK_DIR'> & {
  readonly SPOOL_WORK_DIR: string
}

export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Reads and checks every setting; an empty variable counts as absent. */
export function loadSettings(env: Readonly<Record<string, string | undefined>>): MediaSettings {
  const { values, faults } = readSettingsFor('media', env, { cores: availableParallelism() })
  if (!values) throw new SettingsError(faults.map(({ name, rule }) => `${name} ${rule}`).join('; '))
  return {
    ...values,
    SPOOL_WORK_DIR: absolute(values.SPOOL_WORK_DIR) ?? path.join(tmpdir(), 'spool-media'),
    SPOOL_DATA_DIR: absolute(values.SPOOL_DATA_DIR),
    SPEECH_MODEL_DIR: absolute(values.SPEECH_MODEL_DIR),
  }
}

function absolute(folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : path.resolve(folder)
}
