import type { PutStorage, Storage } from '../../api-types.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { choiceFlag, textFlag } from '../arguments/flag.ts'
import { UsageError } from '../session/command-error.ts'
import type { Session } from '../session/session.ts'
import { ask } from '../session/ask.ts'
import { fieldList, textTable } from '../terminal/text-table.ts'
import { forget } from './presets.ts'

const secretVariable = 'STORAGE_SECRET_ACCESS_KEY'

const listStorages: Command = {
  name: 'storages list',
  summary: 'List the buckets that sources come from and results are delivered to',
  examples: { 'All of them': 'spool storages list' },
  async run(_, session) {
    const { screen, common, signal } = session
    const storages = await (await session.spool()).storages.list({ signal }).all()
    if (common.json) return screen.printJson(storages)
    const columns = ['NAME', 'BUCKET', { heading: 'AT', isCut: true }]
    const rows = storages.map(({ name, bucket, prefix, endpoint }) => [
      name,
      prefix === '' ? bucket : `${bucket}/${prefix}`,
      endpoint,
    ])
    screen.print(textTable(columns, rows, screen.columns))
  },
}

const showStorage: Command = {
  name: 'storages show',
  summary: 'Print what is kept of a storage; nobody is shown the secret of its key',
  positionals: { name: 'NAME', least: 1, most: 1 },
  examples: { One: 'spool storages show out' },
  async run({ first }, session) {
    const { screen, common, signal } = session
    const storage = await (await session.spool()).storages.get(first, { signal })
    if (common.json) return screen.printJson(storage)
    screen.print(fieldList(fieldsOf(storage), screen.paint.dim))
  },
}

function fieldsOf(storage: Storage): [string, string | undefined][] {
  return [
    ['name', storage.name],
    ['endpoint', storage.endpoint],
    ['region', storage.region],
    ['bucket', storage.bucket],
    ['prefix', storage.prefix === '' ? undefined : storage.prefix],
    ['addressing', storage.addressing],
    ['access key', storage.accessKeyId],
  ]
}

const saveStorage: Command = {
  name: 'storages save',
  summary: 'Name a bucket of yours; the service tries it before it is saved',
  about: [
    'A storage of yours with this name is replaced.',
    `The secret of the access key is read from ${secretVariable}, or asked for on a terminal: on a command line, other programs on this machine could see it. It may be left out when a storage is saved again with the same endpoint and key.`,
  ],
  positionals: { name: 'NAME', least: 1, most: 1, fields: ['storageName'] },
  flags: [
    textFlag('endpoint', 'URL', 'The address of the S3 service'),
    textFlag('bucket', 'TEXT', 'The bucket'),
    textFlag('access-key-id', 'ID', 'The access key'),
    textFlag('region', 'TEXT', 'The region of the bucket', { usual: 'us-east-1' }),
    textFlag('prefix', 'FOLDER', 'A folder in the bucket'),
    choiceFlag('addressing', ['path', 'host'], 'Where a request names the bucket', {
      usual: 'path',
    }),
  ],
  examples: {
    'A bucket of Amazon S3':
      'spool storages save out --endpoint https://s3.eu-central-1.amazonaws.com --region eu-central-1 --bucket my-videos --access-key-id AKIAIOSFODNN7EXAMPLE',
  },
  async run(given, session) {
    const { screen, common, signal } = session
    const storage = await readStorage(given, session)
    const saved = await (await session.spool()).storages.put(given.first, storage, { signal })
    if (common.json) return screen.printJson(saved)
    screen.note(`${screen.mark('good')} Saved ${saved.name}: ${saved.bucket} at ${saved.endpoint}`)
  },
}

async function readStorage(given: Typed, session: Session): Promise<PutStorage> {
  const needed = (flag: string): string => {
    const text = given.text(flag)
    if (text === undefined) throw new UsageError(`--${flag} is missing.`)
    return text
  }
  const storage: PutStorage = {
    endpoint: needed('endpoint'),
    bucket: needed('bucket'),
    accessKeyId: needed('access-key-id'),
    region: given.text('region'),
    prefix: given.text('prefix'),
    addressing: given.text('addressing') as PutStorage['addressing'],
  }
  const secretAccessKey = await readSecret(session)
  return secretAccessKey === undefined ? storage : { ...storage, secretAccessKey }
}

async function readSecret(session: Session): Promise<string | undefined> {
  const { surroundings, isInteractive } = session
  const set = surroundings.env[secretVariable]?.trim()
  if (set !== undefined && set !== '') return set
  if (!isInteractive) return undefined
  const question = 'Secret of the access key (empty: the one that is kept): '
  const answer = (await ask(surroundings, question, { isHidden: true })).trim()
  return answer === '' ? undefined : answer
}

const deleteStorage: Command = {
  name: 'storages delete',
  summary: 'Forget a storage; nothing in the bucket changes',
  positionals: { name: 'NAME', least: 1, most: 1 },
  examples: { Forget: 'spool storages delete out' },
  run: async ({ first }, session) => forget(session, 'storages', first),
}

export const storageCommands: readonly Command[] = [
  listStorages,
  showStorage,
  saveStorage,
  deleteStorage,
]
