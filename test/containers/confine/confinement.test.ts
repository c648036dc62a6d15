import { describe, expect, it } from 'vitest'
import {
  candidates,
  confine,
  confinementOf,
  exposures,
  layers,
  whyNotStarted,
  unconfined,
  type Grounds,
  type Layer,
} from '../../../containers/confine/confinement.ts'

function grounds(changes: Partial<Grounds> = {}): Grounds {
  const given = { arch: 'x64', isRoot: true, readable: ['/usr/bin'], hidden: ['/data'] }
  return { ...given, allowed: new Set(layers), ...changes }
}

const allowing = (...allowed: Layer[]): Grounds => grounds({ allowed: new Set(allowed) })

describe('confinementOf', () => {
  it('uses every layer for root, and another user', () => {
    expect(confinementOf(grounds())).toEqual({
      layers: ['user', 'mount', 'pid', 'net', 'ipc', 'view', 'landlock', 'seccomp'],
      user: 65_534,
      options: [
        '--arch=x64',
        '--unshare=mount,pid,net,ipc',
        ...['--view', '--landlock', '--seccomp'],
        '--uid=65534',
        '--read=/usr/bin',
        '--hide=/data',
      ],
    })
  })

  it('lets an ordinary user own the namespaces that it enters', () => {
    const allowed = new Set(layers.filter((layer) => layer !== 'user'))
    const { user, options } = confinementOf(grounds({ isRoot: false, allowed }))
    expect(user).toBeUndefined()
    expect(options).toContain('--unshare=user,mount,pid,net,ipc')
  })

  it('uses no layer that the system refused', () => {
    expect(confinementOf(allowing('landlock', 'seccomp')).options).toEqual([
      ...['--arch=x64', '--landlock', '--seccomp', '--read=/usr/bin', '--hide=/data'],
    ])
  })
})

describe('candidates', () => {
  it('leave out as little as possible for a program that does not start, and the view last', () => {
    expect(
      candidates(grounds()).map((one) => layers.filter((l) => !one.layers.includes(l))),
    ).toEqual([[], ['user'], ['view', 'landlock'], ['user', 'view', 'landlock']])
  })

  it('contain no confinement twice', () => {
    expect(candidates(allowing('seccomp'))).toHaveLength(1)
  })
})

describe('exposures', () => {
  it('are empty if every layer is allowed, for an ordinary user, and in a container without privileges', () => {
    expect(exposures(confinementOf(grounds()))).toEqual([])
    expect(exposures(confinementOf(allowing('mount', 'pid', 'net', 'view')))).toEqual([])
    expect(exposures(confinementOf(allowing('landlock', 'seccomp')))).toEqual([])
  })

  it('name everything that an unconfined program could do', () => {
    expect(exposures(unconfined)).toEqual([
      'read the secrets of the media worker',
      'open connections',
      'read files of others',
      'write outside the folder of its job',
      'signal the media worker',
    ])
  })

  it('remain for files if another user is the only layer', () => {
    expect(exposures(confinementOf(allowing('user')))).toEqual([
      'open connections',
      'read files of others',
    ])
  })
})

describe('confine', () => {
  const command = { program: 'ffprobe', args: ['-i', 'file:in0'] }

  it('passes the unchanged command to confine.pl, with the only folder to write to', () => {
    const { program, args } = confine(confinementOf(allowing('seccomp')), '/work/job', command)
    expect(program).toBe('perl')
    expect(args.slice(-5)).toEqual(['--write=/work/job', '--', 'ffprobe', '-i', 'file:in0'])
  })

  it('does not change a command if nothing can confine it', () => {
    expect(confine(unconfined, '/work/job', command)).toEqual(command)
  })
})

it('refusalOf distinguishes a program that was not started from one that failed', () => {
  expect(whyNotStarted(125, 'confine: unshare net: Operation not permitted\n')).toBe(
    'unshare net: Operation not permitted',
  )
  expect(whyNotStarted(125, 'in0: Invalid data')).toBeUndefined()
  expect(whyNotStarted(1, 'confine: unshare')).toBeUndefined()
})
