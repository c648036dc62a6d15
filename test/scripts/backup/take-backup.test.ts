import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { listBackups } from '../../../scripts/backup/backup-folder.ts'
import { runBackupCommand } from '../../../scripts/backup/backup-command.ts'
import { ProgressLine } from '../../../scripts/machine/progress-line.ts'
import { takeBackup } from '../../../scripts/backup/take-backup.ts'
import { identify } from '../../../scripts/machine/process-table.ts'
import { writeJson } from '../../../scripts/machine/write-file.ts'
import { aStoppedService, type StoppedService } from '../../support/scripts/stopped-service.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

const progress = new ProgressLine({ write: () => undefined })
const never = new AbortController().signal

async function backUp({ data }: StoppedService, place: string, stop = never) {
  return takeBackup({ data, place, progress, stop })
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}

describe('takeBackup', () => {
  it('copies what only the log of a database has, secrets and objects, and counts them', async () => {
    const service = aStoppedService()
    service.database.exec("INSERT INTO videos VALUES ('in the log', 'running')")
    const { folder, manifest, pausedMs } = await backUp(service, temporaryDirectory())
    expect(filesOf(folder)).toEqual([
      'SHA256SUMS',
      'data/secrets.json',
      `data/state/v3/d1/D1Object/${'a'.repeat(64)}.sqlite`,
      `data/state/v3/r2/R2Object/${'b'.repeat(64)}.sqlite`,
      'data/state/v3/r2/spool-media/blobs/c0ffee',
      'manifest.json',
    ])
    const copy = new DatabaseSync(
      path.join(folder, `data/state/v3/d1/D1Object/${'a'.repeat(64)}.sqlite`),
    )
    expect(copy.prepare('SELECT id FROM videos').all()).toEqual([{ id: '1' }, { id: 'in the log' }])
    copy.close()
    expect(manifest).toMatchObject({
      format: 1,
      files: 4,
      counts: { accounts: 1, keys: 1, videos: 2, unfinishedJobs: 2, pendingWebhooks: 1 },
    })
    expect(pausedMs).toBe(0)
    expect(statSync(folder).mode & 0o077).toBe(0)
    service.close()
  })

  it('says why the folder for backups cannot be made', async () => {
    const service = aStoppedService()
    const file = path.join(temporaryDirectory(), 'backups')
    writeFileSync(file, '')
    await expect(backUp(service, file)).rejects.toThrow(`${file}: it is a file and no folder`)
    service.close()
  })

  it('stores an object of the backup before it only once', async () => {
    const service = aStoppedService()
    const place = temporaryDirectory()
    const first = await backUp(service, place)
    service.store('decade', 'the second video')
    const second = await backUp(service, place)
    const inode = (folder: string, name: string) =>
      statSync(path.join(folder, 'data/state/v3/r2/spool-media/blobs', name)).ino
    expect(inode(second.folder, 'c0ffee')).toBe(inode(first.folder, 'c0ffee'))
    expect(inode(second.folder, 'decade')).not.toBe(inode(second.folder, 'c0ffee'))
    expect([first.sharedBytes, second.sharedBytes]).toEqual([0, 'the first video'.length])
    service.close()
  })

  it('names a file that a row of the bucket names and the disk lacks, and keeps the backup before it', async () => {
    const service = aStoppedService()
    const place = temporaryDirectory()
    const { folder } = await backUp(service, place)
    rmSync(path.join(service.objects, 'c0ffee'))
    await expect(backUp(service, place)).rejects.toThrow(
      'lacks 1 files that its rows name, such as c0ffee',
    )
    expect(readdirSync(place)).toEqual([path.basename(folder)])
    service.close()
  })

  it('leaves nothing behind when it is stopped', async () => {
    const service = aStoppedService()
    const place = temporaryDirectory()
    const before = filesOf(service.data.base)
    await expect(backUp(service, place, AbortSignal.abort())).rejects.toThrow()
    expect(readdirSync(place)).toEqual([])
    expect(filesOf(service.data.base)).toEqual(before)
    service.close()
  })

  it('refuses a second backup of the service at the same time, a place in its own data, and an empty one', async () => {
    const service = aStoppedService()
    const { data } = service
    await expect(backUp(service, path.join(data.base, 'backups'))).rejects.toThrow(
      'is lost together with it',
    )
    writeJson(data.backupLock, identify(process.pid), 0o600)
    await expect(backUp(service, temporaryDirectory())).rejects.toThrow(
      `A backup of ${data.base} is being made (process ${process.pid})`,
    )
    service.close()
    rmSync(data.state, { recursive: true })
    await expect(backUp(service, temporaryDirectory())).rejects.toThrow('has no data of a service')
  })

  it('says of a service whose Worker is just being started that it can be tried again', async () => {
    const service = aStoppedService()
    writeJson(service.data.processes, { supervisor: identify(process.pid), parts: [] }, 0o600)
    await expect(backUp(service, temporaryDirectory())).rejects.toThrow('is starting or stopping')
    service.close()
  })
})

describe('the command backup', () => {
  const run = async (service: StoppedService, ...args: string[]) =>
    runBackupCommand('backup', args, {
      env: { SPOOL_DATA_DIR: service.data.base },
      stop: never,
      folder: temporaryDirectory(),
    })

  it('keeps as many backups as it is told, and removes what was broken off a day ago', async () => {
    const service = aStoppedService()
    const place = temporaryDirectory()
    const [first] = [await backUp(service, place), await backUp(service, place)]
    const old = path.join(place, '.unfinished-2026-01-01T00-00-00.000Z')
    writeJson(path.join(old, 'manifest.json'), {}, 0o600)
    utimesSync(old, 0, 0)
    const { removed } = JSON.parse(await run(service, place, '--keep', '2', '--json')) as {
      removed: string[]
    }
    expect(removed).toEqual([path.basename(first.folder)])
    expect(listBackups(place)).toHaveLength(2)
    expect(existsSync(old)).toBe(false)
    service.close()
  })

  it('says where the backup is, what it has, and that it holds secrets', async () => {
    const service = aStoppedService()
    const place = temporaryDirectory()
    const text = await run(service, place)
    expect(text).toContain(`Backed up to ${path.join(place, listBackups(place)[0] ?? '')}`)
    expect(text).toContain('1 video, 1 unfinished job, 1 webhook due')
    expect(text).toContain('contains the secrets of the service')
    service.close()
  })

  it.each([
    [[], 'DIR is missing.'],
    [['a', 'b'], 'Unexpected argument b.'],
    [['a', '--kep', '1'], 'Unknown option --kep. Did you mean --keep?'],
    [['a', '--keep', '0'], '--keep: Must be a whole number from 1'],
    [['a', '--keep'], '--keep needs a value.'],
    [['a', '--url', 'https://x'], 'A deployed service is backed up by other means'],
  ])('refuses %j with advice', async (args, message) => {
    const service = aStoppedService()
    await expect(run(service, ...args)).rejects.toThrow(message)
    service.close()
  })

  it('is written so that sha256sum can check it without Spool', async () => {
    const service = aStoppedService()
    const { folder } = await backUp(service, temporaryDirectory())
    const lines = readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(line).toMatch(/^[0-9a-f]{64} {2}data\/\S+$/)
    service.close()
  })
})
