import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/machine/checkout.ts'
import {
  dated,
  unreleasedNotes,
  nextVersion,
  release,
  presentVersion,
} from '../../../scripts/release/release.ts'
import { temporaryDirectory } from '../../support/scripts/temporary-directory.ts'

const changelog =
  '# Changes\n\n## Unreleased\n\n- Films turn.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'

const places = ['package.json', 'package-lock.json', 'client/package.json'] as const
const inCode = 'worker/contract/service-version.ts'

type Stated = { version: string; packages?: Record<string, Stated> }

/** What each place says. */
function statedVersions(folder: string): (string | undefined)[] {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  const stated = places.flatMap((file) => {
    const { version, packages } = JSON.parse(read(file)) as Stated
    return packages ? [version, packages['']?.version] : [version]
  })
  return [...stated, /serviceVersion = '([^']+)/.exec(read(inCode))?.[1]]
}

/** A repository on main, with everything that states a version. */
function aRepository() {
  const folder = temporaryDirectory()
  for (const file of [...places, inCode]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(folder, file))
  }
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
  const said: string[] = []
  let checks = 0
  const make = async (args: string[], exitCode = 0) =>
    release(args, {
      root: folder,
      today: '2026-11-22',
      check: async () => {
        checks++
        return exitCode
      },
      say: (line) => said.push(line),
    })
  return { folder, git, said, make, checks: () => checks }
}

describe('the version', () => {
  it('is the same wherever it is stated', () => {
    expect(statedVersions(root)).toEqual(Array(5).fill(presentVersion(root)))
  })
})

describe('npm run release', () => {
  it('checks, writes the version everywhere, dates the changes, commits and tags', async () => {
    const { folder, git, said, make } = aRepository()
    expect(await make(['2.0.0'])).toBe(0)
    expect(statedVersions(folder)).toEqual(Array(5).fill('2.0.0'))
    expect(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8')).toBe(
      changelog.replace('## Unreleased\n', '## Unreleased\n\n## 2.0.0 (2026-11-22)\n'),
    )
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '-1', '--format=%s')).toBe('Release 2.0.0')
    expect(git('tag', '--list', '--format=%(refname:short) %(contents)')).toContain(
      'v2.0.0 Spool 2.0.0',
    )
    expect(git('describe')).toBe('v2.0.0')
    expect(said.at(-1)).toContain('git push --follow-tags')
  })

  it('changes nothing in a dry run', async () => {
    const { git, said, make, checks } = aRepository()
    expect(await make(['minor', '--dry-run'])).toBe(0)
    expect(said[0]).toMatch(/^Would check, commit and tag v\d+\.\d+\.0/)
    expect(said[0]).toContain('- Films turn.')
    expect([git('status', '--porcelain'), git('tag'), checks()]).toEqual(['', '', 0])
  })

  it('refuses what is not committed, another branch, a failed check, and a tag that exists', async () => {
    const { folder, git, make, checks } = aRepository()
    writeFileSync(path.join(folder, 'new.txt'), '')
    await expect(make(['minor'])).rejects.toThrow('not committed:\n?? new.txt')
    git('add', '.')
    git('commit', '--quiet', '--message', 'More')
    git('switch', '--quiet', '--create', 'aside')
    await expect(make(['minor'])).rejects.toThrow('Releases are made on main, and this is aside')
    git('switch', '--quiet', 'main')
    expect(checks()).toBe(0)
    await expect(make(['minor'], 1)).rejects.toThrow('npm run check failed')
    git('tag', 'v2.0.0')
    await expect(make(['2.0.0'])).rejects.toThrow('There is a v2.0.0 already')
    expect(git('status', '--porcelain')).toBe('')
  })

  it.each([[[]], [['minor', 'major']], [['--now', 'minor']]])(
    'explains itself to %j',
    async (args) => {
      const { make } = aRepository()
      await expect(make(args)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('Usage: npm run release') as string,
      })
    },
  )
})

describe('nextVersion', () => {
  it.each([
    ['patch', '1.2.4'],
    ['minor', '1.3.0'],
    ['major', '2.0.0'],
    ['1.2.3', '1.2.3'],
    ['1.10.0', '1.10.0'],
  ])('%s after 1.2.3 is %s', (wish, expected) => {
    expect(nextVersion('1.2.3', wish)).toBe(expected)
  })

  it.each([['1.2.2'], ['0.9.9'], ['v2.0.0'], ['2.0'], ['01.2.3'], ['next']])(
    'refuses %s',
    (wish) => {
      expect(() => nextVersion('1.2.3', wish)).toThrow(wish)
    },
  )
})

describe('CHANGELOG.md', () => {
  it('has something to tell', () => {
    expect(unreleasedNotes(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))).toContain('- ')
  })

  it('cannot be dated without a change to name', () => {
    expect(() =>
      dated('# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- A\n', '1.0.0', 'today'),
    ).toThrow('names no change')
    expect(() => dated('# Changes\n', '1.0.0', 'today')).toThrow('no heading')
  })
})
