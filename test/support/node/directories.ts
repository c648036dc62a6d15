import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, onTestFinished } from 'vitest'

/** An empty directory that is removed after the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'spool-test-'))
  onTestFinished(() => remove(directory))
  return directory
}

/** A directory for all tests of a file, there from the first of them to the last. */
export function directoryForAll(): string {
  const directory = path.join(tmpdir(), `spool-test-${crypto.randomUUID()}`)
  beforeAll(() => void mkdirSync(directory))
  afterAll(() => remove(directory))
  return directory
}

/** The same place for each test of a file, empty when it begins. */
export function directoryForEach(): string {
  const directory = path.join(tmpdir(), `spool-test-${crypto.randomUUID()}`)
  beforeEach(() => void mkdirSync(directory))
  afterEach(() => remove(directory))
  return directory
}

const remove = (directory: string) => rmSync(directory, { recursive: true, force: true })
