import { setTimeout as delay } from 'node:timers/promises'
import { membersOfGroup } from './process-table.ts'

const pollMs = 20
const patienceMs = 5_000

/** Sends a signal to a process, or with a negative number to its group; nobody there is no fault. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Ends whatever is left of a group and returns when nothing is: its ports are free again. */
export async function killGroup(group: number): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (membersOfGroup(group).length > 0) {
    sendSignal(-group, 'SIGKILL')
    if (Date.now() > deadline) throw new Error(`Process group ${group} does not end`)
    await delay(pollMs)
  }
}
