import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './machine/checkout.ts'
import { exitCodeOf, StopWithMessage } from './machine/stop-with-message.ts'
import { writeRelease } from './release/write-release.ts'

// `npm version` has written the version to package.json and the lockfile, and commits what is staged here.
process.exitCode = await exitCodeOf(async () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const written = writeRelease(root, version, new Date().toISOString().slice(0, 10))
  const { status } = spawnSync('git', ['add', ...written], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new StopWithMessage('git add failed')
  return 0
})
