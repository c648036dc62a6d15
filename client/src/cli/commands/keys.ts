import type { CreateKey, Key } from '../../api-types.ts'
import type { Command } from '../arguments/command.ts'
import { choiceFlag, switchFlag, textFlag } from '../arguments/flag.ts'
import { UsageError } from '../session/command-error.ts'
import { agoText } from '../terminal/quantities.ts'
import type { Screen } from '../terminal/screen.ts'
import { textTable } from '../terminal/text-table.ts'
import { aboutAsking, askFirst, yesFlag } from './ask-first.ts'

const scopes = ['videos:read', 'videos:write', 'keys:manage'] as const

const listKeys: Command = {
  name: 'keys list',
  summary: 'List the API keys of the account, newest first',
  about: ['Needs a key with the scope keys:manage, like every command about keys.'],
  flags: [switchFlag('all', 'Also those that were revoked or have expired')],
  examples: { 'Those that work': 'spool keys list' },
  async run(given, session) {
    const { screen, common, signal, surroundings } = session
    const { keys } = await session.spool()
    const found = await keys.list({ limit: 100 }, { signal }).all()
    const shown = given.isOn('all') ? found : found.filter((key) => works(key, surroundings.now()))
    if (common.json) screen.printJson(shown)
    else screen.print(keyTable(shown, screen, surroundings.now()))
  },
}

function works({ revokedAt, expiresAt }: Key, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs)
}

function keyTable(keys: readonly Key[], screen: Screen, nowMs: number): string {
  const columns = ['KEY', 'LOOKS LIKE', 'LAST USED', 'STATE']
  const cut = ['NAME', 'SCOPES'].map((heading) => ({ heading, isCut: true }))
  const rows = keys.map((key) => [
    key.keyId,
    key.hint,
    key.lastUsedAt === null ? 'never' : agoText(key.lastUsedAt, nowMs),
    works(key, nowMs) ? 'works' : key.revokedAt === null ? 'expired' : 'revoked',
    key.name ?? '-',
    key.scopes.join(' '),
  ])
  return textTable([...columns, ...cut], rows, screen.columns)
}

const createKey: Command = {
  name: 'keys create',
  summary: 'Make a key, and print it; it cannot be shown again',
  flags: [
    textFlag('name', 'TEXT', 'Shown in lists, such as the program that uses the key'),
    choiceFlag('scope', scopes, 'What the key may do', { many: true }),
    textFlag('expires-at', 'TIME', 'When the key ends, such as 2027-01-01T00:00:00Z'),
  ],
  examples: {
    'For a program that makes videos':
      'spool keys create --name uploader --scope videos:read --scope videos:write',
  },
  async run(given, session) {
    const { screen, common, signal } = session
    const asked = given.texts('scope') as CreateKey['scopes']
    if (asked.length === 0) {
      throw new UsageError('--scope is missing.', [`At least one of ${scopes.join(', ')}.`])
    }
    const { keys } = await session.spool()
    const key = await keys.create(
      { name: given.text('name'), scopes: asked, expiresAt: given.text('expires-at') },
      { signal },
    )
    if (common.json) return screen.printJson(key)
    screen.note(`${screen.mark('good')} Made ${key.keyId}. The key itself is shown only this once:`)
    screen.printLine(key.apiKey)
  },
}

const revokeKey: Command = {
  name: 'keys revoke',
  summary: 'Revoke a key at once, for good',
  about: [aboutAsking],
  positionals: { name: 'KEY_ID', least: 1, most: 1 },
  flags: [yesFlag],
  examples: { 'For good': 'spool keys revoke k_v4p2mjWX88FR' },
  async run(given, session) {
    const { screen, common, signal } = session
    const { first: keyId } = given
    if (!(await askFirst(given, session, `Revoke ${keyId}`))) return
    await (await session.spool()).keys.revoke(keyId, { signal })
    screen.note(`${screen.mark('good')} Revoked ${keyId}`)
    if (common.json) screen.printJson({ revoked: keyId })
  },
}

export const keyCommands: readonly Command[] = [listKeys, createKey, revokeKey]
