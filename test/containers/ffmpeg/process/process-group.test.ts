import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, it, vi } from 'vitest'
import { residentBytesOf } from '../../../../containers/ffmpeg/process/process-group.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

it('the memory of a process group is zero, and no error, while no file can be opened', () => {
  const opened = vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
    throw new Error('EMFILE: too many open files')
  })
  syncBuiltinESMExports()
  expect(residentBytesOf(process.pid)).toBe(0)
  expect(opened).toHaveBeenCalled()
})
