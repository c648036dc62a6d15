import type { Command } from './arguments/command.ts'
import { batchCommands } from './commands/batch.ts'
import { cancel } from './commands/cancel.ts'
import { deleteVideos } from './commands/delete.ts'
import { download } from './commands/download.ts'
import { list } from './commands/list.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mcp } from './commands/mcp.ts'
import { keyCommands } from './commands/keys.ts'
import { presetCommands } from './commands/presets.ts'
import { run } from './commands/run.ts'
import { speakers } from './commands/speakers.ts'
import { status } from './commands/status.ts'
import { storageCommands } from './commands/storages.ts'
import { transcript } from './commands/transcript.ts'
import { upload } from './commands/upload.ts'
import { watch } from './commands/watch.ts'

import { completeAmong, completion } from './commands/completion.ts'
import { webhookCommands } from './commands/webhooks.ts'
import { listen } from './commands/webhooks-listen.ts'

/** In the order of the help. */
const shown: readonly Command[] = [
  login,
  logout,
  run,
  upload,
  status,
  watch,
  list,
  download,
  transcript,
  speakers,
  cancel,
  deleteVideos,
  ...batchCommands,
  ...presetCommands,
  ...storageCommands,
  listen,
  ...webhookCommands,
  ...keyCommands,
  mcp,
  completion,
]

export const commands: readonly Command[] = [...shown, completeAmong(shown)]
