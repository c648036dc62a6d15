import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import { makeFolder } from '../../../scripts/machine/write-file.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'
import { freePort } from '../../support/node/free-port.ts'

function start(env: Record<string, string>, ...args: string[]) {
  return spawnSync(process.execPath, [path.join(root, 'scripts/start.ts'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
}

async function aTakenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return address.port
}

describe('scripts/start.ts', () => {
  it('names a port that is taken, and another one to use', async () => {
    const port = await aTakenPort()
    const base = temporaryDirectory()
    const { status, stderr } = start({ PORT: String(port), SPOOL_DATA_DIR: base })
    expect(stderr).toBe(
      `Port ${port} is already in use. Stop what listens there, or start Spool with another one: PORT=${port + 1} npm start\n`,
    )
    expect(status).toBe(1)
    expect(existsSync(path.join(base, 'pids.json'))).toBe(false)
  })

  it('ends with 2 and one plain message when a setting is wrong', () => {
    const { status, stderr } = start({ PORT: 'x' })
    expect(stderr).toMatch(/^PORT=x must be a whole number from 1 to 65535\n/)
    expect(stderr).not.toContain('    at ')
    expect(status).toBe(2)
  })

  it('says why a data directory cannot be made', () => {
    const file = path.join(temporaryDirectory(), 'spool')
    writeFileSync(file, '')
    for (const [base, reason] of [
      [file, 'it is a file and no folder'],
      [path.join(file, 'data'), 'it lies below a file'],
    ] as const)
      expect(() => makeFolder(base, base)).toThrow(`${base}: ${reason}`)
    // It has no room either, but waiting for some would never end.
    const { status, stderr } = start({ SPOOL_DATA_DIR: '/proc/spool' })
    const reason = 'it is on no disk, so no file can be kept there'
    expect(stderr).toBe(`SPOOL_DATA_DIR=/proc/spool: ${reason}\n`)
    expect(status).toBe(2)
  })

  it('ends with 2 as well when a media worker refuses a setting', async () => {
    const { status, stdout } = start({
      PORT: String(await freePort()),
      SPOOL_DATA_DIR: temporaryDirectory(),
      SPEECH_MODEL_DIR: '/nowhere',
    })
    expect(stdout).toContain('SPEECH_MODEL_DIR=/nowhere: it is not a folder')
    expect(status).toBe(2)
  })

  it('explains itself', () => {
    const { status, stdout } = start({}, '--help')
    expect(stdout).toContain('SPOOL_DATA_DIR')
    expect(status).toBe(0)
  })

  it('takes no arguments', () => {
    const { status, stderr } = start({}, '--port=1')
    expect(stderr).toContain('Unknown argument --port=1')
    expect(status).toBe(2)
  })
})
