import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { isDiskFull } from '../../../../containers/errors/job-error.ts'

const mount = (...args: string[]) => spawnSync('mount', args, { stdio: 'ignore' }).status === 0
const unmount = (folder: string) => spawnSync('umount', ['-l', folder], { stdio: 'ignore' })

function emptyFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'spool-small-disk-'))
}

function tryToMount(): boolean {
  const folder = emptyFolder()
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=1m', 'spool-test', folder)
  if (isMounted) unmount(folder)
  rmSync(folder, { recursive: true })
  return isMounted
}

/** Only the superuser may mount a disk, and not in every container: tests that need one are skipped elsewhere. */
export const canMount = tryToMount()

type SmallDisk = {
  folder: string
  freeBytes: () => number
  /** Fills the disk except for this many bytes; returns what gives the room back. */
  fillExcept: (bytes: number) => () => void
}

/** Others may write meanwhile, so the last bytes may not be there any more. */
function fill(file: string, bytes: number): void {
  writeFileSync(file, '')
  try {
    if (bytes > 0) appendFileSync(file, Buffer.alloc(bytes))
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** A disk of its own in memory, which is gone after the test. */
export function smallDisk(bytes: number, files = 100_000): SmallDisk {
  const folder = emptyFolder()
  if (
    !mount('-t', 'tmpfs', '-o', `size=${bytes},nr_inodes=${files},mode=700`, 'spool-test', folder)
  ) {
    throw new Error('The disk could not be mounted')
  }
  onTestFinished(() => {
    unmount(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  let fillings = 0
  return {
    folder,
    freeBytes,
    fillExcept: (left) => {
      const filling = path.join(folder, `filling-${fillings++}`)
      fill(filling, freeBytes() - left)
      return () => rmSync(filling, { force: true })
    },
  }
}
