import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import { directoryForAll } from '../../support/node/directories.ts'

const folder = directoryForAll()
const docker = path.join(folder, 'docker')

beforeAll(() => {
  // Knows one image; any other command it only prints.
  const script = `#!/bin/sh
if [ "$1 $2" = 'image inspect' ]; then [ "$3" = made-here ]; exit; fi
echo "\${DOCKER_BUILDKIT-}"; printf '%s\\n' "$@"`
  writeFileSync(docker, script)
  chmodSync(docker, 0o755)
})

function asked(hasBuildx: boolean, ...args: string[]): string[] {
  const env = {
    PATH: '/usr/bin:/bin',
    SPOOL_DOCKER: docker,
    SPOOL_HAS_BUILDX: hasBuildx ? 'yes' : 'no',
  }
  const command = path.join(root, 'scripts/containers/docker.sh')
  const { stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n').slice(0, -1)
}

const build = ['build', '--load', '-t', 'a tag', '--platform', 'linux/amd64', '--provenance=false']

it('leaves out what only buildx knows where there is none, and nothing else', () => {
  const rest = ['--build-arg', 'NAME=two words', '-f', '-', '/a folder']
  expect(asked(false, ...build, ...rest)).toEqual(['0', 'build', '-t', 'a tag', ...rest])
  expect(asked(true, ...build, ...rest)).toEqual(['', ...build, ...rest])
})

it('pulls only what is not here', () => {
  expect(asked(false, 'pull', 'made-here')).toEqual([])
  expect(asked(false, 'pull', 'elsewhere')).toEqual(['', 'pull', 'elsewhere'])
  expect(asked(false, 'ps', '--all')).toEqual(['', 'ps', '--all'])
})
