import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { keepCase, readCase } from '../../fuzz/kept-case.ts'
import { makeCase } from '../../fuzz/make-case.ts'
import { judgeFailure } from '../../fuzz/outcome.ts'
import { makeSeeds } from '../../fuzz/seeds.ts'
import { readFuzzSettings } from '../../fuzz/settings.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { campaign } from '../support/node/campaign.ts'
import { temporaryDirectory } from '../support/node/directories.ts'
import { eventually } from '../support/node/eventually.ts'

async function fuzz(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '' } }
  return promisify(execFile)(process.execPath, ['fuzz/main.ts', ...args], options).then(
    (said) => ({ code: 0, ...said }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

describe('npm run fuzz', () => {
  const title =
    'finds nothing in 30 cases of a fixed seed, in measuring, in planning and in whole jobs'
  it(title, { tags: 'campaign' }, async () => {
    const asked = ['--seed', '20261122', '--cases', '30', '--job-every', '15']
    const { code, stdout } = await fuzz(...asked)
    const counted = String.raw`30 cases \(2 whole jobs\): \d+ succeeded, \d+ refused.*, 0 faults`
    expect(stdout).toMatch(new RegExp(`^Fuzz: seed 20261122, \\d+ s, ${counted}\\n$`, 'm'))
    expect(code).toBe(0)
  })

  campaign('ends at Ctrl-C without a fault, and leaves nothing behind', async () => {
    const folder = temporaryDirectory()
    const child = spawn(process.execPath, ['fuzz/main.ts', '--job-every', '1'], {
      ...{ cwd: root, env: { ...process.env, NODE_OPTIONS: '', TMPDIR: folder } },
      // A terminal sends Ctrl-C to the whole group, in which the media worker is too.
      ...{ detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    })
    const ended = once(child, 'exit')
    const said = text(child.stdout)
    await eventually(async () =>
      expect(await readdir(folder, { recursive: true })).toContainEqual(
        expect.stringMatching(/^spool-worker-\w+\/job-[^/]+$/),
      ),
    )
    process.kill(-(child.pid ?? 0), 'SIGINT')
    expect(await ended).toEqual([130, null])
    expect(await said).toMatch(/^Fuzz: seed 1, .* 0 faults\n$/)
    expect(await readdir(folder)).toEqual(['spool-test-fixtures'])
  })

  it('explains its use, and what is wrong with its options', async () => {
    expect(await fuzz('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--replay DIR') as string,
    })
    const { code, stderr } = await fuzz('--minutes', 'long')
    expect([code, stderr]).toEqual([2, '--minutes must be a whole number from 1 to 1440.\n'])
    expect((await fuzz('--replay', '/nowhere')).code).toBe(2)
  })

  campaign('repeats a kept case, whatever the seed', async () => {
    const folder = temporaryDirectory()
    const source = Buffer.from('no video')
    const kept = {
      name: 'text',
      kind: 'video' as const,
      source,
      element: undefined,
      options: { outputFormat: 'webm' },
    }
    await keepCase(folder, kept, { what: 'none', isJob: false })
    expect(await readCase(folder)).toEqual({ fuzzCase: kept, isJob: false })
    const { code, stdout } = await fuzz('--replay', folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /1 cases \(0 whole jobs\): 0 succeeded, 1 refused \(1 source_not_media\)/,
    )
  })

  it('keeps what fails, ends with 1 and names the command that repeats it', async () => {
    const folder = temporaryDirectory()
    const kept = {
      name: 'broken',
      kind: 'video' as const,
      source: Buffer.from('x'),
      element: undefined,
    }
    // An option out of its range is our own mistake, like any error without a reason.
    await keepCase(
      folder,
      { ...kept, options: { compressionQuality: 0 } },
      { what: '', isJob: false },
    )
    const described = path.join(folder, 'case.json')
    await writeFile(path.join(folder, 'source'), (await makeSeeds()).videos[0].bytes)
    expect(await readFile(described, 'utf8')).toContain('compressionQuality')
    const { code, stdout } = await fuzz('--replay', folder)
    expect(code).toBe(1)
    expect(stdout).toContain(`again: npm run fuzz -- --replay ${folder}`)
    expect(stdout).toMatch(/1 faults\n$/)
  })
})

it('makeCase is the same for the same seed and number, and another for others', async () => {
  const seeds = await makeSeeds()
  expect(makeCase(seeds, 3, 14)).toEqual(makeCase(seeds, 3, 14))
  const sources = [makeCase(seeds, 3, 14), makeCase(seeds, 3, 15), makeCase(seeds, 4, 14)]
  expect(new Set(sources.map((made) => JSON.stringify(made))).size).toBe(3)
})

it('judgeFailure takes a plain reason that a file can be the cause of, and nothing else', () => {
  expect(judgeFailure('source_undecodable', 'fileUrl: damaged.').kind).toBe('refused')
  expect(judgeFailure('internal', 'Something went wrong.').kind).toBe('fault')
  expect(judgeFailure('out_of_time', 'Too long.').kind).toBe('fault')
  expect(judgeFailure('source_undecodable', 'NaN seconds').kind).toBe('fault')
})

it('readFuzzSettings reads every option', () => {
  const args = '--seed 5 --minutes 7 --cases 9 --job-every 3 --case 0'.split(' ')
  const read = { seed: 5, minutes: 7, cases: 9, jobEvery: 3, only: 0, replay: undefined }
  expect(readFuzzSettings(args)).toEqual(read)
})
