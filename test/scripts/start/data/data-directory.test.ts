import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDataDirectory } from '../../../../scripts/start/data/data-directory.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

const openTo = (place: string) => lstatSync(place).mode & 0o077

describe('createDataDirectory', () => {
  it('makes a directory that is closed to others', () => {
    const base = path.join(temporaryDirectory(), 'a', 'b')
    createDataDirectory(base)
    expect(openTo(base)).toBe(0)
  })

  it('closes one that was open, with everything that the service has left in it', () => {
    const base = temporaryDirectory()
    const outside = path.join(temporaryDirectory(), 'outside')
    writeFileSync(outside, 'not ours')
    chmodSync(outside, 0o644)
    mkdirSync(path.join(base, 'state/v3/r2'), { recursive: true })
    const files = ['secrets.json', 'state/v3/r2/blob', 'worker.env']
    for (const file of files) writeFileSync(path.join(base, file), 'x')
    symlinkSync(outside, path.join(base, 'state/link'))
    for (const place of readdirSync(base, { recursive: true, encoding: 'utf8' })) {
      if (place !== 'state/link') chmodSync(path.join(base, place), 0o755)
    }
    chmodSync(base, 0o775)
    createDataDirectory(base)
    const places = ['.', 'logs', 'state', 'state/v3', 'state/v3/r2', ...files]
    for (const place of places) expect([place, openTo(path.join(base, place))]).toEqual([place, 0])
    expect(lstatSync(path.join(base, 'state/v3')).mode & 0o700).toBe(0o700)
    expect(lstatSync(outside).mode & 0o777).toBe(0o644)
  })

  it('refuses a directory that others use too', () => {
    const shared = temporaryDirectory()
    chmodSync(shared, 0o1777)
    for (const base of [shared, homedir(), '/']) {
      const before = lstatSync(base).mode
      expect(() => createDataDirectory(base)).toThrow(
        `SPOOL_DATA_DIR=${base} is not for Spool alone`,
      )
      expect(lstatSync(base).mode).toBe(before)
    }
  })
})
