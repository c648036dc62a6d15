import type { FieldFault } from '../../contract/answers/errors.ts'
import { suggestValue } from '../../contract/input/explain-issue.ts'
import { longestKey } from '../../contract/storages/key-template.ts'
import { objectsNamed, type Naming } from '../../contract/storages/named-storages.ts'
import { keyFault, keyUnder } from '../../contract/storages/object-key.ts'
import type { Env } from '../../settings.ts'
import { storageRows } from '../../store/named-rows.ts'
import type { StorageRow } from '../../store/tables/account-tables.ts'

/** Finds the storages that these requests name and that the account does not have. If none is named, the database is asked nothing. */
export async function storageJudge(
  env: Env,
  accountId: string,
  requests: readonly Naming[],
): Promise<(request: Naming) => FieldFault[]> {
  const isAnyNamed = requests.some((request) => namedIn(request).length > 0)
  const known = isAnyNamed ? await storageRows.list(env.DB, accountId) : []
  return (request) => faultsAmong(known, namedIn(request))
}

function namedIn(request: Naming) {
  return [
    ...objectsNamed(request).map((one) => ({ ...one, keyField: one.field })),
    ...(request.destinations ?? []).map(({ storage, key }, i) => ({
      ...{ storage, key: longestKey(key) },
      field: `destinations[${i}].storage`,
      keyField: `destinations[${i}].key`,
    })),
  ]
}

function faultsAmong(
  known: readonly StorageRow[],
  named: ReturnType<typeof namedIn>,
): FieldFault[] {
  const names = known.map(({ name }) => name)
  return named.flatMap(({ field, keyField, storage, key }): FieldFault[] => {
    const found = known.find(({ name }) => name === storage)
    if (!found) return [{ field, message: noSuchStorage(storage, names) }]
    const message = keyFault(keyUnder(found.prefix, key))
    return message === undefined ? [] : [{ field: keyField, message }]
  })
}

function noSuchStorage(name: string, known: readonly string[]): string {
  const hint = suggestValue(name, known)
  return `There is no storage ${name}${hint === '' ? `; add it with PUT /v1/storages/${name}, or under Storages in the dashboard` : hint}`
}
