import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../directories.ts'

const run = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

function mounted(place: string, bytes: number) {
  const folder = path.join(place, 'disk')
  const image = path.join(place, 'image')
  mkdirSync(folder)
  writeFileSync(image, '')
  truncateSync(image, bytes)
  const mount = () => run('mount', '-o', 'loop', image, folder)
  const unmount = () => run('umount', folder)
  const isMounted = run('mkfs.ext4', '-q', '-F', image) && mount()
  return { folder, image, isMounted, mount, unmount }
}

function tryToMount(): boolean {
  const place = mkdtempSync(path.join(tmpdir(), 'spool-failing-disk-'))
  const { isMounted, unmount } = mounted(place, 4_000_000)
  const isGone = isMounted && unmount()
  rmSync(place, { recursive: true })
  return isGone
}

/** Only the superuser may mount an image, and not in every container: tests that need one are skipped elsewhere. */
export const canMountImage = tryToMount()

/** A disk that can fail as real ones do: nothing more is written, and what was not yet on it is lost. */
export function failingDisk(bytes: number) {
  const { folder, image, isMounted, mount, unmount } = mounted(temporaryDirectory(), bytes)
  if (!isMounted) throw new Error('The image could not be mounted')
  onTestFinished(() => void run('umount', '-l', folder))
  return {
    folder,
    fail: () => run('mount', '-o', 'remount,abort', folder),
    /** Returns false while programs have files open on it. */
    repair: () => unmount() && run('e2fsck', '-fy', image) !== undefined && mount(),
  }
}
