import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { killGroup } from '../../machine/kill-group.ts'
import { allPids, readProc } from '../../machine/process-table.ts'

/** The launcher that confines these programs leads their group. */
const mediaPrograms = new Set(['ffmpeg', 'ffprobe', 'perl'])

/**
 * Ends the ffmpeg that a killed media worker left behind: it has its own process group, so it outlives the worker and
 * keeps writing. It is recognised by its working folder alone, which needs /proc.
 */
export async function sweepWorkDirectory(directory: string): Promise<void> {
  for (const pid of allPids()) {
    if (worksIn(pid, directory)) await killGroup(pid)
  }
}

function worksIn(pid: number, directory: string): boolean {
  const name = readProc(`/proc/${pid}/comm`)?.trim()
  if (name === undefined || !mediaPrograms.has(name)) return false
  const inside = (text: string) => text === directory || text.includes(`${directory}${path.sep}`)
  if (inside(workingDirectory(pid))) return true
  return (readProc(`/proc/${pid}/cmdline`) ?? '').split('\0').some(inside)
}

function workingDirectory(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}
