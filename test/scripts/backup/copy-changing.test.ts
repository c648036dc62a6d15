import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ChangingFiles } from '../../../scripts/backup/copy-changing.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'

function twoFolders() {
  const [source, target] = [temporaryDirectory(), temporaryDirectory()]
  const write = (name: string, text: string) => writeFileSync(path.join(source, name), text)
  const copied = (name: string) => readFileSync(path.join(target, name), 'utf8')
  return { source, target, write, copied, copy: new ChangingFiles(source, target) }
}

describe('ChangingFiles', () => {
  it('notices a change that leaves size and time as they were', () => {
    const { write, copied, copy } = twoFolders()
    for (let i = 0; i < 200; i++) {
      const text = String(i).padStart(3)
      write('a', text)
      copy.pass(['a'])
      expect(copied('a')).toBe(text)
    }
  })

  it('removes what was removed, also while it is copied', () => {
    const { source, target, write, copy } = twoFolders()
    write('a', 'a')
    write('b', 'b')
    copy.pass(['a', 'b'])
    rmSync(path.join(source, 'a'))
    rmSync(path.join(source, 'b'))
    copy.pass(['b'])
    expect([existsSync(path.join(target, 'a')), existsSync(path.join(target, 'b'))]).toEqual([
      false,
      false,
    ])
    expect(copy.names).toEqual([])
  })

  it('stops in the middle when there is no more time', () => {
    const { write, copy } = twoFolders()
    write('a', 'a')
    const outOfTime = () => {
      throw new Error('too long')
    }
    expect(() => copy.pass(['a'], outOfTime)).toThrow('too long')
  })
})
