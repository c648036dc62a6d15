import type { FieldFault } from '../../contract/answers/errors.ts'
import { suggestValue } from '../../contract/input/explain-issue.ts'
import { longestKey } from '../../contract/storages/key-template.ts'
import { objectsNamed, type Naming } from '../../contract/storages/named-storages.ts'
import { keyFault, keyUnder } from '../../contract/storages/object-key.ts'
import type { Env } from '../../settings.ts'
import { storageRows } from '../../store/named-rows.ts'
import type { StorageRow } from '../../store/tables/account-tables.ts'
import { storageLimits } from '../../contract/limits.ts'

/** The storages that a request names and that the account does not have. A request that names none asks the database nothing. */
export async function storageFaults(
  env: Env,
  accountId: string,
  request: Naming,
): Promise<FieldFault[]> {
  const named = namedIn(request)
  return named.length === 0 ? [] : faultsAmong(await storageRows.list(env.DB, accountId), named)
}

/** The same for many requests of one account, whose storages are read once. */
export function storageJudge(env: Env, accountId: string) {
  let known: Promise<StorageRow[]> | undefined
  return async (request: Naming): Promise<FieldFault[]> => {
    const named = namedIn(request)
    if (named.length === 0) return []
    return faultsAmong(await (known ??= storageRows.list(env.DB, accountId)), named)
  }
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

/** The text of an element of the XML that S3 answers; its errors have few and simple ones. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text === undefined ? undefined : unescapeXml(text)
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
}

/** The code of an error, such as NoSuchBucket. Undefined if the body is not an error of S3. */
export function errorCode(xml: string): string | undefined {
  const code = elementOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

/** The answer of a storage that refused a request, in words for people. */
export function sayAnswer(status: number, xml: string): string {
  if (status >= 300 && status < 400) {
    return `the storage answered ${status}, which sends to another address; give the endpoint and region of the bucket itself`
  }
  const code = errorCode(xml)
  if (code === undefined) return `the storage answered ${status}`
  const message = cleaned(elementOf(xml, 'Message') ?? '')
  return `the storage answered ${status}, ${code}${message === '' ? '' : `: ${message}`}`
}

/** One line of foreign text, without characters that change how a line is read. */
function cleaned(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return plain.length <= storageLimits.toldErrorChars
    ? plain
    : `${plain.slice(0, storageLimits.toldErrorChars).toWellFormed()}…`
}
