import { databasesIn } from '../host/applied-migrations.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'
import type { Settings } from './settings.ts'

/** Stops if the service would not find some of its accounts: any of its databases may have them. */
export function requireDatabases(
  { base, state }: Pick<DataDirectory, 'base' | 'state'>,
  { DATABASES }: Pick<Settings, 'DATABASES'>,
): void {
  const kept = databasesIn(state)
  if (kept <= DATABASES) return
  throw new StopWithMessage(
    `${base} has ${kept} databases, and accounts may live in each of them. Start Spool with all of them: DATABASES=${kept} npm start`,
  )
}
