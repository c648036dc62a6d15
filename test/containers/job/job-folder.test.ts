import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { makeJobFolder, removeLeftovers } from '../../../containers/job/job-folder.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

it('removeLeftovers removes the folder of a dead process, ends what still runs in it, and touches nothing else', async () => {
  const workDir = await aFolder()
  const ours = path.basename(await makeJobFolder(workDir))
  const dead = path.join(workDir, 'job-999999999-1-abcdef')
  await mkdir(dead)
  await mkdir(path.join(workDir, 'something-else'))
  const orphan = spawn('sleep', ['600'], { cwd: dead })
  await once(orphan, 'spawn')
  const killed = once(orphan, 'exit')
  expect(await removeLeftovers(workDir)).toEqual(['job-999999999-1-abcdef'])
  expect(await killed).toEqual([null, 'SIGKILL'])
  expect((await readdir(workDir)).sort()).toEqual([ours, 'something-else'].sort())
})
