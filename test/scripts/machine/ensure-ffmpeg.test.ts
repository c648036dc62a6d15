import { describe, expect, it } from 'vitest'
import { majorVersion, planInstall } from '../../../scripts/machine/ensure-ffmpeg.ts'

const debian = {
  platform: 'linux',
  hasApt: true,
  isRoot: false,
  sudoNeedsNoPassword: false,
} as const

describe('planInstall', () => {
  it('installs with apt-get as root', () => {
    expect(planInstall({ ...debian, isRoot: true })).toEqual({
      outcome: 'install',
      commands: [
        ['apt-get', 'update'],
        ['apt-get', 'install', '--yes', '--no-install-recommends', 'ffmpeg'],
      ],
    })
  })

  it('uses sudo where it asks for no password', () => {
    expect(planInstall({ ...debian, sudoNeedsNoPassword: true })).toMatchObject({
      outcome: 'install',
      commands: [['sudo', '-n', 'apt-get', 'update'], expect.anything()],
    })
  })

  it('tells the whole command where it may not install', () => {
    expect(planInstall(debian)).toMatchObject({
      outcome: 'tell',
      message: expect.stringContaining('sudo apt-get update && sudo apt-get install') as string,
    })
  })

  it('tells the command of macOS', () => {
    expect(planInstall({ ...debian, platform: 'darwin', hasApt: false })).toMatchObject({
      message: expect.stringContaining('brew install ffmpeg') as string,
    })
  })
})

describe('majorVersion', () => {
  it.each([
    ['5.1.6-0+deb12u1', 5],
    ['n7.1', 7],
    ['N-109542-gd5544f6457', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, major) => {
    expect(majorVersion(text)).toBe(major)
  })
})
