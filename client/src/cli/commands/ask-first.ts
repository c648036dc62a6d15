import type { Typed } from '../arguments/command.ts'
import { switchFlag, type Flag } from '../arguments/flag.ts'
import { UsageError } from '../session/command-error.ts'
import type { Session } from '../session/session.ts'
import { confirm } from '../session/ask.ts'

export const yesFlag: Flag = switchFlag('yes', 'Do not ask', { short: 'y' })
export const aboutAsking = 'Asks first on a terminal. In a script, --yes is needed.'

/** Whether to do what cannot be undone. `deed`: `Delete v_3RB6SiNw`. */
export async function askFirst(given: Typed, session: Session, deed: string): Promise<boolean> {
  if (given.isOn('yes')) return true
  if (!session.isInteractive) throw new UsageError(`${deed}? Pass --yes to do it without asking.`)
  const wants = await confirm(session.surroundings, `${deed}, for good?`)
  if (!wants) session.screen.note('Nothing was done.')
  return wants
}
