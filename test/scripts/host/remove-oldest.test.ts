import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeOldest } from '../../../scripts/host/remove-oldest.ts'
import { temporaryDirectory } from '../../support/node/directories.ts'
import { aSleeper } from '../../support/scripts/sleeper.ts'

it('removes the builds that were used least recently, but none that a service runs from', async () => {
  const cache = temporaryDirectory()
  for (const number of [1, 2, 3, 4, 5, 6, 7]) {
    const folder = path.join(cache, `worker-${number}`)
    mkdirSync(folder)
    utimesSync(folder, number, number)
  }
  const service = await aSleeper('--worker', path.join(cache, 'worker-2'))
  onTestFinished(() => void service.child.kill('SIGKILL'))
  removeOldest(cache)
  expect(readdirSync(cache).sort()).toEqual([2, 4, 5, 6, 7].map((number) => `worker-${number}`))
})
