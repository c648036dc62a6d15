import type { Command } from '../arguments/command.ts'
import { UsageError } from '../session/command-error.ts'
import { confirm } from '../terminal/ask.ts'

export const deleteVideos: Command = {
  name: 'delete',
  summary: 'Delete videos that have ended, with their files',
  about: ['Asks first on a terminal. In a script, --yes is needed.'],
  positionals: { name: 'VIDEO_ID', least: 1, most: 100 },
  flags: [{ name: 'yes', short: 'y', kind: 'switch', help: 'Do not ask' }],
  examples: [{ does: 'For good', command: 'spool delete v_3RB6SiNw --yes' }],
  async run(given, session) {
    const { screen, signal, common, surroundings } = session
    const { positionals: ids } = given
    const what = ids.length === 1 ? given.first : `${ids.length} videos`
    if (!given.isOn('yes')) {
      if (!session.isInteractive) throw new UsageError(`Pass --yes to delete ${what}.`)
      const wants = await confirm(surroundings, `Delete ${what} with all files, for good?`)
      if (!wants) return screen.note('Nothing was deleted.')
    }
    const { videos } = await session.spool()
    for (const videoId of ids) {
      await videos.delete(videoId, { signal })
      screen.note(`${screen.mark('good')} Deleted ${videoId}`)
    }
    if (common.json) screen.printJson({ deleted: ids })
  },
}
