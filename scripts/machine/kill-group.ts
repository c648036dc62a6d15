import { setTimeout as delay } from 'node:timers/promises'
import { membersOfGroup } from './process-table.ts'
import { codeOf } from '../../containers/errors/code-of.ts'

const pollMs = 20
const patienceMs = 5_000

/** Sends a signal to a process, or with a negative number to its group; it is not an error if it is gone. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Kills all members of a group and returns when none is left, so that its ports are free again. */
export async function killGroup(group: number): Promise<void> {
  const deadline = Date.now() + patienceMs
  while (membersOfGroup(group).length > 0) {
    sendSignal(-group, 'SIGKILL')
    if (Date.now() > deadline) throw new Error(`Process group ${group} does not end`)
    await delay(pollMs)
  }
}
