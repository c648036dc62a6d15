import { describe, expect, it } from 'vitest'
import { ffmpegWanted } from '../../../scripts/machine/ensure-ffmpeg.ts'
import { planInstall } from '../../../scripts/machine/install-with-apt.ts'

const debian = {
  platform: 'linux',
  hasApt: true,
  isRoot: false,
  sudoNeedsNoPassword: false,
} as const

describe('planInstall', () => {
  it('installs with apt-get as root, and waits while another installation holds its lock', () => {
    const wait = ['-o', 'DPkg::Lock::Timeout=300']
    expect(planInstall({ ...debian, isRoot: true }, ffmpegWanted)).toEqual({
      outcome: 'install',
      commands: [
        ['apt-get', 'update', ...wait],
        ['apt-get', 'install', ...wait, '--yes', '--no-install-recommends', 'ffmpeg'],
      ],
    })
  })

  it('installs several packages with one command', () => {
    const several = { ...ffmpegWanted, package: 'fonts-inter fonts-noto-core' }
    expect(planInstall({ ...debian, isRoot: true }, several)).toMatchObject({
      commands: [expect.anything(), expect.arrayContaining(['fonts-inter', 'fonts-noto-core'])],
    })
  })

  it('uses sudo if it asks for no password', () => {
    expect(planInstall({ ...debian, sudoNeedsNoPassword: true }, ffmpegWanted)).toMatchObject({
      outcome: 'install',
      commands: [
        ['sudo', '-n', 'apt-get', 'update', '-o', 'DPkg::Lock::Timeout=300'],
        expect.anything(),
      ],
    })
  })

  it('shows the whole command if it may not install', () => {
    expect(planInstall(debian, ffmpegWanted)).toMatchObject({
      outcome: 'tell',
      message: expect.stringContaining('&& sudo apt-get install') as string,
    })
  })

  it('shows the command for macOS', () => {
    expect(
      planInstall({ ...debian, platform: 'darwin', hasApt: false }, ffmpegWanted),
    ).toMatchObject({
      message: expect.stringContaining('brew install ffmpeg') as string,
    })
  })
})
