import { realpath } from 'node:fs/promises'
import type { Command } from '../arguments/command.ts'
import { textFlag } from '../arguments/flag.ts'
import { Bridge } from '../mcp/bridge.ts'
import { Forwarder } from '../mcp/forward.ts'
import { Uploader } from '../mcp/upload-tool.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'

export const mcp: Command = {
  name: 'mcp',
  summary: 'Give the tools of the service to an agent on this machine, over stdin and stdout',
  about: [
    'Add it to an agent as a local MCP server; the agent starts it. It has the tools of the service, and one that sends video files on this machine when the agent is asked to: upload_file. Only files that are videos by their content are sent.',
  ],
  flags: [
    textFlag(
      'folder',
      'DIR',
      'Send only files in this folder or below; without it, any video that you can read',
      { many: true },
    ),
  ],
  examples: { 'In Claude Code': 'claude mcp add spool -- spool mcp --folder ~/Movies' },
  async run(given, session) {
    const { screen, signal, surroundings } = session
    const { stdin, homeFolder } = surroundings
    const folders = given.texts('folder')
    await Promise.all(folders.map(requireFolder))
    const access = await session.access()
    if (stdin.isTTY) {
      screen.warn(
        `Waiting for messages of an MCP client for ${access.baseUrl}; agents start this command themselves. Ctrl-C ends it.`,
      )
    }
    const uploader = new Uploader({ spool: await session.spool(), homeFolder, folders })
    const bridge = new Bridge(new Forwarder(access), uploader, {
      input: stdin,
      print: (line) => screen.print(line),
      note: (line) => screen.warn(line),
      signal,
    })
    await bridge.run()
  },
}

async function requireFolder(folder: string): Promise<void> {
  await realpath(folder).catch(() => {
    throw new CommandError(`--folder ${folder}: there is no such folder.`, exitCodes.localFile)
  })
}
