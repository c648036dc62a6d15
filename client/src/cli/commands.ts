import type { Command } from './arguments/command.ts'
import { list } from './commands/list.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { status } from './commands/status.ts'

/** In the order of the help. */
export const commands: readonly Command[] = [login, logout, status, list]
