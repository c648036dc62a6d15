import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { LogFile } from '../../../../scripts/start/output/log-files.ts'
import { canMount, smallDisk } from '../../../support/node/disks/small-disk.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

const limits = { mostBytes: 1_000, hasRoom: () => true }
const lineOf = (number: number) => `line ${number}`.padEnd(99, '.')
const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

describe('LogFile', () => {
  it('becomes the former file while it is written, and keeps one of those', () => {
    const folder = temporaryDirectory()
    const file = path.join(folder, 'worker.log')
    const log = new LogFile(file, limits)
    for (let number = 1; number <= 40; number++) log.write(lineOf(number))
    expect(readdirSync(folder).sort()).toEqual(['worker.log', 'worker.log.1'])
    expect(statSync(`${file}.1`).size).toBe(1_100)
    const kept = [...linesOf(`${file}.1`), ...linesOf(file)]
    expect(kept).toEqual(
      Array.from({ length: kept.length }, (_, i) => lineOf(41 - kept.length + i)),
    )
  })

  it('rotates what an earlier start has left', () => {
    const file = path.join(temporaryDirectory(), 'worker.log')
    writeFileSync(file, 'old\n'.repeat(400))
    new LogFile(file, limits).write('new')
    expect(linesOf(file)).toEqual(['new'])
    expect(statSync(`${file}.1`).size).toBe(1_600)
  })

  it('goes on in a new file when somebody has moved the old one', () => {
    const file = path.join(temporaryDirectory(), 'worker.log')
    const log = new LogFile(file, limits)
    for (let number = 1; number <= 11; number++) log.write(lineOf(number))
    renameSync(file, `${file}.moved`)
    log.write('new')
    expect(linesOf(file)).toEqual(['new'])
  })

  it('leaves out lines while the disk has no room for them, and says how many', () => {
    const file = path.join(temporaryDirectory(), 'worker.log')
    let hasRoom = true
    const log = new LogFile(file, { ...limits, hasRoom: () => hasRoom })
    log.write('before')
    hasRoom = false
    for (let number = 0; number < 3; number++) log.write('left out')
    hasRoom = true
    log.write('after')
    const [before, about = '', after] = linesOf(file)
    expect([before, after]).toEqual(['before', 'after'])
    expect(JSON.parse(about)).toMatchObject({ event: 'log lines dropped', lines: 3 })
  })

  it.skipIf(!canMount)('drops lines that a full disk refuses, and never writes half of one', () => {
    const disk = smallDisk(1_000_000)
    const file = path.join(disk.folder, 'worker.log')
    const log = new LogFile(file, { mostBytes: 1e9, hasRoom: () => true })
    const large = (number: number) => `${number} `.padEnd(3_000, '.')
    const makeRoom = disk.fillExcept(10_000)
    for (let number = 1; number <= 10; number++) log.write(large(number))
    makeRoom()
    log.write('after')
    const lines = linesOf(file)
    const written = lines.length - 2
    expect(written).toBeGreaterThan(0)
    expect(lines.slice(0, written)).toEqual(Array.from({ length: written }, (_, i) => large(i + 1)))
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ lines: 10 - written })
    expect(lines.at(-1)).toBe('after')
  })
})
