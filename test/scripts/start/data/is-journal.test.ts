import { closeSync, fstatSync, openSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isJournal } from '../../../../scripts/start/data/is-journal.ts'
import { temporaryDirectory } from '../../../support/node/directories.ts'

it('tells whether systemd has connected this very descriptor to its journal', () => {
  const descriptor = openSync(path.join(temporaryDirectory(), 'output'), 'w')
  onTestFinished(() => closeSync(descriptor))
  const { dev, ino } = fstatSync(descriptor)
  expect(isJournal(descriptor, `${dev}:${ino}`)).toBe(true)
  // Inherited from a service that has started this terminal.
  expect(isJournal(descriptor, `${dev}:${ino + 1}`)).toBe(false)
  expect(isJournal(descriptor, undefined)).toBe(false)
})
