import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { findConfinement, startAll } from '../../../containers/confine/find-confinement.ts'
import { unconfined } from '../../../containers/confine/confinement.ts'
import { firstLibraries } from '../../../containers/confine/first-libraries.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

const run = promisify(execFile)

it('names libraries that ffmpeg has, and none for another program', async () => {
  const { stdout } = await run('ldd', ['/usr/bin/ffmpeg'])
  const first = await firstLibraries('ffmpeg')
  expect(first).toEqual(first.filter((name) => stdout.includes(`\t${name} => `)))
  expect(first.map((name) => name.split('.so.')[0])).toEqual(
    expect.arrayContaining(['libc', 'libstdc++', 'libavutil']),
  )
  expect(await firstLibraries('sh')).toEqual([])
  expect(await firstLibraries('no-such-program')).toEqual([])
})

it('starts no program whose loader does not find one of them', async () => {
  const folder = await aFolder()
  const programs = ['ffmpeg', 'ffprobe']
  const found = await findConfinement({ folder, hidden: [], programs })
  expect(found.first?.slice(0, 2)).toEqual(['libm.so.6', 'libc.so.6'])
  for (const confinement of [found, unconfined]) {
    const { first } = found
    expect(await startAll(programs, { ...confinement, ...(first && { first }) }, folder)).toBe(true)
    const others = { ...confinement, first: ['libnothing.so.1'] }
    expect(await startAll(programs, others, folder)).toBe(false)
  }
})

campaign('finds each name of ffmpeg where it is found without them', async () => {
  const usual = await bindings({})
  const sooner = await bindings({ LD_PRELOAD: (await firstLibraries('ffprobe')).join(':') })
  expect(usual.size).toBeGreaterThan(10_000)
  expect([...sooner.keys()].toSorted()).toEqual([...usual.keys()].toSorted())
  // C++ has copies of the same template in many libraries, and takes any of them.
  const others = [...usual].filter(([name]) => !/ _Z/.test(name))
  expect(others.filter(([name, library]) => sooner.get(name) !== library)).toEqual([])
})

/** In which library each name is found that a library asks for. */
async function bindings(more: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const env = { PATH: process.env['PATH'], LD_DEBUG: 'bindings', LD_BIND_NOW: '1', ...more }
  const { stderr } = await run('ffprobe', ['-version'], { env, maxBuffer: 1 << 27 })
  const lines = stderr.matchAll(
    /binding file (\S+) \[0\] to (\S+) \[0\]: \w+ symbol `([^']+)'(.*)/g,
  )
  return new Map(
    [...lines].map(([, by, to = '', name, version]) => [`${by} ${name}${version}`, to]),
  )
}
