import { z } from 'zod'
import { createJson, readJson, removeIfPossible, writeJson } from '../../machine/write-file.ts'
import { killGroup } from '../../machine/kill-group.ts'
import {
  identify,
  isAlive,
  membersOfGroup,
  readProc,
  type ProcessIdentity,
} from '../../machine/process-table.ts'
import { StopWithMessage } from '../../machine/stop-with-message.ts'
import type { DataDirectory } from './data-directory.ts'
import { serviceMarker } from '../parts/part-environments.ts'

export const identity = z.object({ pid: z.int().min(2), startedAt: z.string() })

/** `parts` are the leaders of process groups. */
const record = z.object({ supervisor: identity, parts: z.array(identity) })
type ProcessRecord = z.infer<typeof record>

/**
 * Allows one service per data directory. Processes that a killed service left running are ended first, because they
 * would hold ports and files.
 */
export async function claimDataDirectory(data: DataDirectory): Promise<void> {
  const own = { supervisor: ownIdentity(), parts: [] } satisfies ProcessRecord
  if (createJson(data.processes, own)) return
  const former = record.safeParse(readJson(data.processes))
  if (former.success) {
    refuseIfAlive(former.data.supervisor, data)
    for (const part of former.data.parts) await endOrphans(part, data.base)
  }
  writeRecord(data, [])
}

export function recordParts(data: DataDirectory, pids: readonly number[]): void {
  writeRecord(
    data,
    pids.flatMap((pid) => identify(pid) ?? []),
  )
}

export function releaseDataDirectory(data: DataDirectory): void {
  removeIfPossible(data.processes)
}

/** The processes of the service that runs on this data directory; undefined if none does. */
export function findRunning(data: DataDirectory): ProcessRecord | undefined {
  const { success, data: known } = record.safeParse(readJson(data.processes))
  return success && isAlive(known.supervisor) ? known : undefined
}

function writeRecord(data: DataDirectory, parts: ProcessIdentity[]): void {
  writeJson(data.processes, { supervisor: ownIdentity(), parts } satisfies ProcessRecord, 0o600)
}

export function ownIdentity(): ProcessIdentity {
  const own = identify(process.pid)
  if (!own) throw new Error('This system does not tell when a process began')
  return own
}

function refuseIfAlive(supervisor: ProcessIdentity, data: DataDirectory): void {
  if (supervisor.pid === process.pid || !isAlive(supervisor)) return
  throw new StopWithMessage(
    `Spool already runs on ${data.base} (process ${supervisor.pid}). Stop it first (kill ${supervisor.pid}), or start ` +
      'another one beside it: PORT=8788 SPOOL_DATA_DIR=.spool-2 npm start',
  )
}

async function endOrphans(leader: ProcessIdentity, base: string): Promise<void> {
  const found = identify(leader.pid)
  if (found?.startedAt === leader.startedAt) return killGroup(leader.pid)
  // Another process has this number now, so the group of that number is not ours.
  if (found) return
  // The leader is gone, but its children may still run; they inherited the marker.
  const members = membersOfGroup(leader.pid)
  if (members.some(({ pid }) => isMarked(pid, base))) await killGroup(leader.pid)
}

function isMarked(pid: number, base: string): boolean {
  const variables = readProc(`/proc/${pid}/environ`)?.split('\0') ?? []
  return variables.includes(`${serviceMarker}=${base}`)
}
