import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { backupFolder } from '../../../scripts/backup/backup-folder.ts'
import { runBackupCommand } from '../../../scripts/backup/backup-command.ts'
import { hashOf } from '../../../scripts/backup/hash-file.ts'
import { ProgressLine } from '../../../scripts/machine/progress-line.ts'
import { restoreBackup } from '../../../scripts/backup/restore-backup.ts'
import { takeBackup } from '../../../scripts/backup/take-backup.ts'
import { identify } from '../../../scripts/machine/process-table.ts'
import { readJson, writeJson } from '../../../scripts/machine/write-file.ts'
import { dataDirectory, type DataDirectory } from '../../../scripts/start/data/data-directory.ts'
import { aStoppedService } from '../../support/scripts/stopped-service.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

const progress = new ProgressLine({ write: () => undefined })
const never = new AbortController().signal
const object = 'data/state/v3/r2/spool-media/blobs/c0ffee'

async function aBackup() {
  const service = aStoppedService()
  const place = temporaryDirectory()
  const { folder } = await takeBackup({ data: service.data, place, progress, stop: never })
  service.close()
  return { place, folder }
}

function aTarget(): DataDirectory {
  return dataDirectory(path.join(temporaryDirectory(), 'new'))
}

async function restore(place: string, data: DataDirectory, stop = never) {
  return restoreBackup({ place, data, progress, stop })
}

describe('restoreBackup', () => {
  it('makes the data directory as it was, from the newest backup of a folder', async () => {
    const { place, folder } = await aBackup()
    const data = aTarget()
    const { backup } = await restore(place, data)
    expect(backup.folder).toBe(folder)
    expect(readJson(data.secrets)).toEqual({ spoolSecret: 'a secret of a service' })
    expect(statSync(data.secrets).mode & 0o077).toBe(0)
    const copy = new DatabaseSync(path.join(data.state, `v3/d1/D1Object/${'a'.repeat(64)}.sqlite`))
    expect(copy.prepare('SELECT id, status FROM videos').all()).toEqual([
      { id: '1', status: 'queued' },
    ])
    copy.close()
    const restored = path.join(data.state, 'v3/r2/spool-media/blobs/c0ffee')
    expect(readFileSync(restored, 'utf8')).toBe('the first video')
    // The service removes files, which must not reach the backup.
    expect(statSync(restored).ino).not.toBe(statSync(path.join(folder, object)).ino)
    expect([existsSync(data.restoring), existsSync(data.processes)]).toEqual([false, false])
  })

  it('names damaged and missing files, and leaves the target as it was', async () => {
    const { folder } = await aBackup()
    const data = aTarget()
    writeFileSync(path.join(folder, object), 'the first vide0')
    await expect(restore(folder, data)).rejects.toThrow(`has damaged 1 file:\n  ${object}`)
    expect([existsSync(data.restoring), existsSync(data.secrets)]).toEqual([false, false])
    rmSync(path.join(folder, object))
    await expect(restore(folder, data)).rejects.toThrow(`misses 1 file:\n  ${object}`)
  })

  it('refuses a backup of a newer format or version, or with a damaged manifest or list', async () => {
    const { folder } = await aBackup()
    const { manifest, list } = backupFolder(folder)
    const content = readJson(manifest) as { migrations: string[] }
    const says = async (change: object, message: string) => {
      writeJson(manifest, { ...content, ...change }, 0o600)
      await expect(restore(folder, aTarget())).rejects.toThrow(message)
    }
    await says({ format: 2 }, 'has format 2; this version knows format 1')
    const migrations = [...content.migrations, '9999_later.sql']
    await says({ version: '9.0.0', migrations }, 'made by a newer version of Spool (9.0.0)')
    await says({ counts: undefined }, 'manifest.json is damaged')
    writeFileSync(list, `${readFileSync(list, 'utf8')}${'0'.repeat(64)}  data/../../x\n`)
    await says({}, 'SHA256SUMS is damaged')
  })

  it.each([
    ['data/../../x', 'is damaged in line'],
    ['data/state/../../../x', 'is damaged in line'],
    ['/etc/x', 'is damaged in line'],
    ['data//x', 'is damaged in line'],
    ['data/state/./x', 'is damaged in line'],
    ['data/processes.json', 'is damaged in line'],
    ['data/wrangler/wrangler.toml', 'is damaged in line'],
    ['data/secrets.json/x', 'is damaged in line'],
    ['data/secrets.json', 'is damaged in line'],
    ['data/state/x\u0000', 'is damaged in line'],
    ['data/state/link', 'misses 1 file'],
    ['data/state/linked/x', 'misses 1 file'],
    ['data/state/own', 'tells of'],
  ])('refuses a list with %j although the manifest was rewritten for it', async (name, message) => {
    const { folder } = await aBackup()
    const { manifest, list, data } = backupFolder(folder)
    const elsewhere = temporaryDirectory()
    writeFileSync(path.join(elsewhere, 'x'), 'x')
    symlinkSync(path.join(elsewhere, 'x'), path.join(data, 'state/link'))
    symlinkSync(elsewhere, path.join(data, 'state/linked'))
    writeFileSync(path.join(data, 'state/own'), 'x')
    const text = `${readFileSync(list, 'utf8')}${hashOf('x')}  ${name}\n`
    writeFileSync(list, text)
    const content = readJson(manifest) as object
    writeJson(manifest, { ...content, listHash: hashOf(text) }, 0o600)
    const target = aTarget()
    await expect(restore(folder, target)).rejects.toThrow(message)
    expect(existsSync(target.base)).toBe(false)
  })

  it('refuses a folder that is not empty, in use, or no backup', async () => {
    const { folder } = await aBackup()
    const data = aTarget()
    mkdirSync(data.state, { recursive: true })
    await expect(restore(folder, data)).rejects.toThrow('is not empty (state)')
    writeJson(data.processes, { supervisor: identify(process.pid), parts: [] }, 0o600)
    await expect(restore(folder, data)).rejects.toThrow(`A service runs on ${data.base}`)
    await expect(restore(temporaryDirectory(), aTarget())).rejects.toThrow('contains none')
    await expect(restore('/nowhere', aTarget())).rejects.toThrow('/nowhere is not a folder')
  })

  it('leaves nothing behind when it is stopped', async () => {
    const { folder } = await aBackup()
    const data = aTarget()
    await expect(restore(folder, data, AbortSignal.abort())).rejects.toThrow()
    for (const place of [data.restoring, data.secrets, data.state, data.processes]) {
      expect(existsSync(place)).toBe(false)
    }
  })

  it('begins again where one was broken off while it moved files into place', async () => {
    const { folder } = await aBackup()
    const data = aTarget()
    mkdirSync(path.join(data.state, 'half'), { recursive: true })
    mkdirSync(data.restoring)
    await restore(folder, data)
    expect(existsSync(path.join(data.state, 'half'))).toBe(false)
    expect(existsSync(data.secrets)).toBe(true)
  })
})

describe('the command restore', () => {
  const run = async (data: DataDirectory, ...args: string[]) =>
    runBackupCommand('restore', args, {
      env: { SPOOL_DATA_DIR: data.base },
      stop: never,
      folder: temporaryDirectory(),
    })

  it('says what was restored and how to start it', async () => {
    const { place } = await aBackup()
    const data = aTarget()
    const text = await run(data, place)
    expect(text).toContain(`into ${data.base}`)
    expect(text).toContain('1 account, 1 person, 1 key, 1 video, 1 unfinished job, 1 webhook due')
    expect(text).toContain(`SPOOL_DATA_DIR=${data.base} npm start`)
    expect(text).toContain('Do not start the original again')
  })

  it('only checks with --check', async () => {
    const { place, folder } = await aBackup()
    const data = aTarget()
    expect(await run(data, place, '--check')).toContain(`${folder} is whole: 4 files`)
    expect(existsSync(data.base)).toBe(false)
    writeFileSync(path.join(folder, object), 'the first vide0')
    await expect(run(data, place, '--check')).rejects.toThrow(`has damaged 1 file:\n  ${object}`)
  })
})
