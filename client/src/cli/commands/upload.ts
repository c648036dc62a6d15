import type { Command } from '../arguments/command.ts'
import { textFlag } from '../arguments/flag.ts'
import { UsageError } from '../session/command-error.ts'
import { sendFile } from '../transfer/send-source.ts'
import { findSources } from '../transfer/video-source.ts'
import { withProgress } from '../transfer/with-progress.ts'

export const upload: Command = {
  name: 'upload',
  summary: 'Send a file without making a video of it, and print the id of the upload',
  about: ['A video can be made of it for a day: spool run --upload-id ID.'],
  positionals: { name: 'FILE', least: 1, most: 1 },
  flags: [textFlag('upload-id', 'ID', 'Continue this upload: only what has not arrived is sent')],
  examples: {
    'Send now, decide later': 'id=$(spool upload talk.mp4)\nspool run --upload-id $id --rotate 90',
  },
  async run(given, session) {
    const [source] = await findSources(given.positionals, {})
    if (source?.kind !== 'file')
      throw new UsageError(`${given.first} is not a file on this machine.`)
    const uploadId = await withProgress(session, async (context) =>
      sendFile(source, context, given.text('upload-id')),
    )
    if (session.common.json) session.screen.printJson({ uploadId })
    else session.screen.printLine(uploadId)
  },
}
