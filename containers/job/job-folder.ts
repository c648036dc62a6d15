import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import path from 'node:path'
import { openTo } from '../confine/open-to.ts'
import { killProcessesIn, startTicksOf } from '../ffmpeg/process/process-group.ts'
import { type Log, stackOf } from '../errors/log.ts'

/** `job-<pid>-<start of that process>-XXXXXX`: after a crash this shows which process owned the folder. */
const folderName = /^job-(\d+)-(\d+)-/

/**
 * Makes an empty folder for one job, to which this user may write too. Programs are confined to it, so file names
 * inside hostile files lead nowhere else.
 */
export async function makeJobFolder(workDir: string, user?: number): Promise<string> {
  await mkdir(workDir, { recursive: true, mode: 0o700 })
  const ticks = startTicksOf(process.pid) ?? 0
  // Use the real path, because /proc shows working directories without symbolic links.
  const folder = await mkdtemp(path.join(await realpath(workDir), `job-${process.pid}-${ticks}-`))
  await openTo(folder, user)
  return folder
}

/** Where a job works, while it does. */
export type FolderInUse = { folder: string | undefined }

type Worker = {
  readonly settings: { readonly SPOOL_WORK_DIR: string }
  readonly confinement: { readonly user?: number | undefined }
  readonly log: Log
}

/** Works in a new folder, which is removed afterwards. */
export async function inJobFolder<Result>(
  { settings, confinement, log }: Worker,
  work: (folder: string) => Promise<Result>,
  place: FolderInUse = { folder: undefined },
): Promise<Result> {
  const folder = await makeJobFolder(settings.SPOOL_WORK_DIR, confinement.user)
  place.folder = folder
  try {
    return await work(folder)
  } finally {
    place.folder = undefined
    await removeJobFolder(folder).catch((error: unknown) =>
      log('error', 'The job folder stayed behind', { fault: stackOf(error) }),
    )
  }
}

export async function removeJobFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/**
 * Removes what a killed media worker left behind: its folders, and its ffmpeg processes, which run in their own process
 * groups.
 */
export async function removeLeftovers(workDir: string): Promise<string[]> {
  await mkdir(workDir, { recursive: true, mode: 0o700 })
  const root = await realpath(workDir)
  const removed: string[] = []
  for (const name of await readdir(root)) {
    const [, pid, ticks] = folderName.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid), Number(ticks))) continue
    killProcessesIn(path.join(root, name))
    await removeJobFolder(path.join(root, name))
    removed.push(name)
  }
  return removed
}

function isRunning(pid: number, ticks: number): boolean {
  if (ticks > 0) return startTicksOf(pid) === ticks
  // Without /proc, any other process with that id counts as the owner.
  return pid !== process.pid && isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
