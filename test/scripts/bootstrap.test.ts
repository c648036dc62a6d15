import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { root } from '../../scripts/machine/checkout.ts'
import { directoryForEach } from '../support/node/directories.ts'
import { eventually } from '../support/node/eventually.ts'

/** A stand-in for npm: records that it was called, and leaves what `npm ci` leaves. */
const fakeNpm = `#!/bin/sh
echo "$@" >> "$(dirname "$0")/../npm-calls"
[ ! -x "$(dirname "$0")/look" ] || "$(dirname "$0")/look"
rm -rf node_modules
mkdir -p node_modules/.bin
cp package-lock.json node_modules/.package-lock.json
ln -sf "${process.execPath}" node_modules/.bin/node
`

const command = `process.stdout.write(JSON.stringify({
  args: process.argv.slice(2),
  path: process.env.PATH.split(':')[0],
}))
process.exitCode = 7
`

describe('bootstrap', () => {
  const checkout = directoryForEach()

  beforeEach(() => {
    mkdirSync(path.join(checkout, 'scripts'))
    mkdirSync(path.join(checkout, 'bin'))
    cpSync(path.join(root, 'scripts/bootstrap.mjs'), path.join(checkout, 'scripts/bootstrap.mjs'))
    write('scripts/admin.ts', command)
    write('bin/npm', fakeNpm)
    chmodSync(path.join(checkout, 'bin/npm'), 0o755)
    writeLock({ 'node_modules/left': { version: '1.0.0' } })
  })

  const write = (file: string, text: string) => writeFileSync(path.join(checkout, file), text)
  const writeLock = (packages: object) =>
    write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages } }))

  function bootstrap(...args: string[]) {
    return spawnSync(process.execPath, [path.join(checkout, 'scripts/bootstrap.mjs'), ...args], {
      cwd: tmpdir(),
      encoding: 'utf8',
      env: environment(),
    })
  }

  function start(...args: string[]) {
    const child = spawn(process.execPath, [path.join(checkout, 'scripts/bootstrap.mjs'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environment(),
    })
    const said: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
    const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, said: said.join('') }))
    return { child, ended }
  }

  const environment = () => ({
    ...process.env,
    PATH: `${path.join(checkout, 'bin')}:/usr/bin:/bin`,
  })

  function npmCalls(): string[] {
    return readFileSync(path.join(checkout, 'npm-calls'), 'utf8').trim().split('\n')
  }

  it('installs packages where there are none, and only then', () => {
    bootstrap('admin')
    bootstrap('admin')
    expect(npmCalls()).toEqual([`ci --loglevel=error --prefix ${checkout}`])
  })

  it.each([
    ['the lockfile has changed', () => writeLock({ 'node_modules/left': { version: '1.1.0' } })],
    [
      'a package came to the lockfile',
      () =>
        writeLock({
          'node_modules/left': { version: '1.0.0' },
          'node_modules/new': { version: '1.0.0' },
        }),
    ],
    ['the Node it runs is gone', () => rmSync(path.join(checkout, 'node_modules/.bin/node'))],
  ])('installs again when %s', (_, change) => {
    bootstrap('admin')
    change()
    bootstrap('admin')
    expect(npmCalls()).toHaveLength(2)
  })

  it('keeps the packages of a running service until the new ones are there, and what was bundled before', () => {
    bootstrap('admin')
    const modules = path.join(checkout, 'node_modules')
    mkdirSync(path.join(modules, '.cache/spool'), { recursive: true })
    write('node_modules/.cache/spool/bundle', 'of the version that runs')
    write('node_modules/former', '')
    write('bin/look', `#!/bin/sh\nls ${modules} > ${checkout}/seen\n`)
    chmodSync(path.join(checkout, 'bin/look'), 0o755)
    writeLock({ 'node_modules/left': { version: '1.1.0' } })
    expect(bootstrap('admin').status).toBe(7)
    expect(readFileSync(path.join(checkout, 'seen'), 'utf8')).toBe('former\n')
    expect(readdirSync(modules).sort()).toEqual(['.bin', '.cache', '.package-lock.json'])
    expect(readFileSync(path.join(modules, '.cache/spool/bundle'), 'utf8')).toContain('that runs')
    expect(readdirSync(path.join(checkout, '.wrangler'))).toEqual([])
  })

  it('keeps the former packages when npm fails', () => {
    bootstrap('admin')
    write('node_modules/former', '')
    write('bin/npm', '#!/bin/sh\nrm -rf node_modules\nexit 3\n')
    writeLock({ 'node_modules/left': { version: '1.1.0' } })
    expect(bootstrap('admin').status).toBe(1)
    expect(readdirSync(path.join(checkout, 'node_modules'))).toContain('former')
    expect(readdirSync(path.join(checkout, '.wrangler'))).toEqual([])
  })

  it('waits for a command that installs already, says so, and goes on without installing again', async () => {
    // npm takes until the test has seen that the second command waits.
    spawnSync('mkfifo', [path.join(checkout, 'go')])
    write('bin/look', `#!/bin/sh\ntouch ${checkout}/installing\nread -r _ < ${checkout}/go\n`)
    chmodSync(path.join(checkout, 'bin/look'), 0o755)
    const first = start('admin')
    await eventually(() => expect(existsSync(path.join(checkout, 'installing'))).toBe(true))
    const second = start('admin')
    await once(second.child.stderr, 'data')
    write('go', '\n')
    expect(await first.ended).toEqual({ code: 7, said: 'Installing packages (npm ci) …\n' })
    const waits = 'Waiting for another command, which installs packages …\n'
    expect(await second.ended).toEqual({ code: 7, said: waits })
    expect(npmCalls()).toHaveLength(1)
    expect(readdirSync(path.join(checkout, '.wrangler'))).toEqual([])
  })

  it('does not wait for a command that was killed while it installed', () => {
    write('bin/npm', '#!/bin/sh\nkill -9 $PPID\n')
    expect(bootstrap('admin').signal).toBe('SIGKILL')
    expect(readdirSync(path.join(checkout, '.wrangler'))).toEqual(['installing'])
    write('bin/npm', fakeNpm)
    expect(bootstrap('admin').status).toBe(7)
    expect(readdirSync(path.join(checkout, '.wrangler'))).toEqual([])
  })

  it('does not miss packages that are for other systems', () => {
    bootstrap('admin')
    const lock = { 'node_modules/left': { version: '1.0.0' } }
    writeLock({ ...lock, 'node_modules/other': { version: '1.0.0', optional: true } })
    bootstrap('admin')
    expect(npmCalls()).toHaveLength(1)
  })

  it('passes arguments and the exit code on, with the packages first on the path', () => {
    const { stdout, status } = bootstrap('admin', 'keys', 'list', '--json')
    expect(JSON.parse(stdout)).toEqual({
      args: ['keys', 'list', '--json'],
      path: path.join(checkout, 'node_modules/.bin'),
    })
    expect(status).toBe(7)
  })

  it('says so when npm fails', () => {
    write('bin/npm', '#!/bin/sh\nexit 3\n')
    const { stderr, status } = bootstrap('admin')
    expect(stderr).toContain('npm ci failed')
    expect(status).toBe(1)
  })

  it('refuses other commands', () => {
    const { stderr, status } = bootstrap('stop')
    expect(stderr).toContain('Usage:')
    expect(status).toBe(2)
  })
})
