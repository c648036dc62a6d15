import { chmod, chown, copyFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  confine,
  confinementOf,
  exposures,
  otherUser,
  unconfined,
  type Confinement,
  type Layer,
} from '../../../containers/confine/confinement.ts'
import {
  findConfinement,
  findGrounds,
  placeToShow,
} from '../../../containers/confine/find-confinement.ts'
import { openTo } from '../../../containers/confine/open-to.ts'
import { runProcess, type ProcessRequest } from '../../../containers/ffmpeg/process/run-process.ts'
import { anAttack } from '../../support/containers/attack.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

const isRoot = process.getuid?.() === 0
const programs = ['ffmpeg', 'ffprobe']

async function found(): Promise<Confinement> {
  return findConfinement({ folder: await aFolder(), hidden: [], programs })
}

/** Makes a folder with a source in it, as the media worker makes it for a job. */
async function aJobFolder(confinement: Confinement): Promise<string> {
  const folder = await aFolder()
  await openTo(folder, confinement.user)
  await writeFile(path.join(folder, 'in0'), 'source')
  return folder
}

async function run(
  folder: string,
  changes: Pick<ProcessRequest, 'program' | 'args' | 'confinement'>,
) {
  const said: string[] = []
  const result = await runProcess({
    cwd: folder,
    signal: new AbortController().signal,
    limits: { memoryBytes: 1024 ** 3 },
    onStdout: (chunk) => said.push(chunk) > 0,
    ...changes,
  })
  return { result, said: said.join('') }
}

async function expectHarmless(confinement: Confinement): Promise<void> {
  const folder = await aJobFolder(confinement)
  const attack = await anAttack()
  const args = ['-c', attack.script]
  const { result, said } = await run(folder, { program: 'bash', args, confinement })
  await attack.expectHarmless(folder, said, result)
}

/** The same for a media worker that runs as a user without privileges. */
async function expectHarmlessToPlainUser(allowed: readonly Layer[]): Promise<void> {
  const folder = await aFolder()
  await chown(folder, otherUser, otherUser)
  const launcher = path.join(await openFolder(), 'confine.pl')
  await copyFile(
    path.resolve(import.meta.dirname, '../../../containers/confine/confine.pl'),
    launcher,
  )
  await chmod(launcher, 0o644)
  const grounds = await findGrounds({ folder: await aFolder(), hidden: [], programs })
  const confinement = confinementOf({ ...grounds, isRoot: false, allowed: new Set(allowed) })
  const attack = await anAttack(otherUser)
  const confined = confine(confinement, folder, { program: 'bash', args: ['-c', attack.script] })
  const as = [`--reuid=${otherUser}`, `--regid=${otherUser}`, '--clear-groups', 'perl', launcher]
  const args = [...as, ...confined.args.slice(1)]
  const { result, said } = await run(folder, { program: 'setpriv', args, confinement: unconfined })
  await attack.expectHarmless(folder, said, result)
}

async function openFolder(): Promise<string> {
  const folder = await aFolder()
  await chmod(folder, 0o755)
  return folder
}

describe('a program in the place of ffmpeg', () => {
  it('can do nothing but its work with every layer that this system allows', async () => {
    const confinement = await found()
    expect(exposures(confinement)).toEqual([])
    await expectHarmless(confinement)
  })

  it('could read and connect if nothing confined it', async () => {
    const attack = await anAttack()
    // Leaves out its last step, which would outlive the test.
    const args = ['-c', attack.script.replace(/\(setsid.*/, '')]
    const folder = await aJobFolder(unconfined)
    const { said } = await run(folder, { program: 'bash', args, confinement: unconfined })
    expect(attack.tells(said)).toBe(true)
    expect(said).toContain('connected')
  })

  it('can do nothing but its work without namespaces either, as in most containers', async () => {
    const grounds = await findGrounds({ folder: await aFolder(), hidden: [], programs })
    const allowed = new Set<Layer>(
      isRoot ? ['user', 'landlock', 'seccomp'] : ['landlock', 'seccomp'],
    )
    await expectHarmless(confinementOf({ ...grounds, allowed }))
  })

  it.runIf(isRoot)(
    'can do nothing but its work for a media worker without privileges, in namespaces',
    async () => {
      await expectHarmlessToPlainUser(['mount', 'pid', 'net', 'ipc', 'view', 'landlock', 'seccomp'])
    },
  )

  it.runIf(isRoot)(
    'can do nothing but its work for a media worker without privileges or namespaces',
    async () => {
      await expectHarmlessToPlainUser(['landlock', 'seccomp'])
    },
  )

  it.runIf(isRoot)('cannot change the files that were fetched for its job', async () => {
    const confinement = await found()
    const folder = await aJobFolder(confinement)
    const args = ['-c', 'cat in0 && echo x > in0; rm in0; mv in0 in1']
    const { said, result } = await run(folder, { program: 'sh', args, confinement })
    expect(said).toBe('source')
    expect(result.stderrTail.match(/not permitted|denied/gi)).toHaveLength(3)
  })

  it('cannot see a hidden folder, wherever it lies', async () => {
    const folder = await aFolder()
    const outer = await openFolder()
    await writeFile(path.join(outer, 'worker.env'), 'secret')
    const grounds = await findGrounds({ folder, hidden: [outer], programs })
    const seen = { ...grounds, readable: [...grounds.readable, outer] }
    const confinement = confinementOf(seen)
    await openTo(folder, confinement.user)
    const { said } = await run(folder, { program: 'ls', args: ['-A', outer], confinement })
    expect(said).toBe('')
  })
})

describe('a confined program', () => {
  it('ends as it would unconfined: with its exit code, by a signal, or without starting', async () => {
    const confinement = await found()
    const folder = await aJobFolder(confinement)
    const end = async (script: string) =>
      (await run(folder, { program: 'sh', args: ['-c', script], confinement })).result
    expect(await end('echo oops >&2; exit 3')).toMatchObject({ exitCode: 3, stderrTail: 'oops\n' })
    // The first process of the namespace reaps an orphan that ends earlier.
    expect(await end('(sh -c "exit 9" &); sleep 0.3; exit 4')).toMatchObject({ exitCode: 4 })
    expect(await end('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
    await expect(
      run(folder, { program: 'no-such-program', args: [], confinement }),
    ).rejects.toThrow(
      'no-such-program was not started: exec no-such-program: No such file or directory',
    )
  })

  it('has no capability, no way to get one, and nothing of our environment', async () => {
    const confinement = await found()
    const folder = await aJobFolder(confinement)
    const script = 'grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status; env'
    const { said } = await run(folder, { program: 'sh', args: ['-c', script], confinement })
    expect(said.match(/^Cap\w+:\t0+$/gm)).toHaveLength(5)
    expect(said).toMatch(/^NoNewPrivs:\t1$/m)
    expect(said).toMatch(/^Seccomp:\t2$/m)
    expect(said.match(/^[A-Z_]+=/gm)?.sort()).toEqual([
      ...['FONTCONFIG_PATH=', 'HOME=', 'LC_ALL=', 'LD_PRELOAD=', 'PATH=', 'PWD='],
    ])
    expect(said).toMatch(/^LD_PRELOAD=libm\.so\.6:libc\.so\.6:/m)
  })
})

it('findConfinement leaves out only the layers that keep a program from starting', async () => {
  // Its interpreter lies where a view does not show it.
  const [place, tools] = await Promise.all([openFolder(), openFolder()])
  await copyFile('/bin/sh', path.join(tools, 'odd-sh'))
  await chmod(path.join(tools, 'odd-sh'), 0o755)
  const program = path.join(place, 'odd-ffmpeg')
  await writeFile(program, `#!${tools}/odd-sh\nexit 0\n`, { mode: 0o755 })
  const { layers } = await findConfinement({
    folder: await aFolder(),
    hidden: [],
    programs: [program],
  })
  const { layers: usual } = await found()
  expect(layers).toEqual(usual.filter((layer) => layer !== 'view' && layer !== 'landlock'))
})

it('placeToShow is the folder of a program, unless a secret lies in it', () => {
  expect(placeToShow('/opt/ffmpeg/bin/ffmpeg', ['/srv/data'])).toBe('/opt/ffmpeg/bin')
  expect(placeToShow('/srv/ffmpeg', ['/srv/data'])).toBe('/srv/ffmpeg')
})
