import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { root } from '../../../scripts/machine/checkout.ts'
import { writeJson } from '../../../scripts/machine/write-file.ts'
import {
  createDataDirectory,
  type DataDirectory,
} from '../../../scripts/start/data/data-directory.ts'
import { temporaryDirectory } from '../node/directories.ts'

const databaseId = 'a'.repeat(64)
const bucketId = 'b'.repeat(64)

export type StoppedService = {
  data: DataDirectory
  /** The service's own database, open as the runtime has it: what is written to it is still in its log. */
  database: DatabaseSync
  bucket: DatabaseSync
  /** Stores an object, as the simulator does: its file first, then its row. */
  store: (blobId: string, text: string) => void
  objects: string
  close: () => void
}

/** A data directory as the runtime leaves it behind, with an account, a key and a video. */
export function aStoppedService(): StoppedService {
  const data = createDataDirectory(path.join(temporaryDirectory(), 'data'))
  writeJson(data.secrets, { spoolSecret: 'a secret of a service' }, 0o600)
  const database = openDatabase(path.join(data.state, 'v3/d1/D1Object', `${databaseId}.sqlite`))
  database.exec('CREATE TABLE d1_migrations (name TEXT)')
  for (const name of readdirSync(path.join(root, 'migrations')).sort()) {
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  }
  for (const [table, columns] of tables) {
    database.exec(`CREATE TABLE ${table} (${columns}); INSERT INTO ${table} (id) VALUES ('1')`)
  }
  database.exec(
    "UPDATE videos SET status = 'queued'; UPDATE webhook_deliveries SET status = 'pending'",
  )
  const bucket = openDatabase(path.join(data.state, 'v3/r2/R2Object', `${bucketId}.sqlite`))
  bucket.exec('CREATE TABLE _mf_objects (key TEXT, blob_id TEXT)')
  bucket.exec('CREATE TABLE _mf_multipart_parts (upload_id TEXT, blob_id TEXT)')
  const objects = path.join(data.state, 'v3/r2/spool-media/blobs')
  mkdirSync(objects, { recursive: true })
  const store = (blobId: string, text: string) => {
    writeFileSync(path.join(objects, blobId), text)
    bucket.prepare('INSERT INTO _mf_objects VALUES (?, ?)').run(`key of ${blobId}`, blobId)
  }
  store('c0ffee', 'the first video')
  const close = () => [database, bucket].forEach((open) => open.close())
  return { data, database, bucket, store, objects, close }
}

const tables = [
  ['accounts', 'id TEXT'],
  ['people', 'id TEXT'],
  ['api_keys', 'id TEXT, revoked_at INTEGER'],
  ['videos', 'id TEXT, status TEXT'],
  ['webhook_deliveries', 'id TEXT, status TEXT'],
] as const

function openDatabase(file: string): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  return database
}
