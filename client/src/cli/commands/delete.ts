import type { Command } from '../arguments/command.ts'
import { aboutAsking, askFirst, yesFlag } from './ask-first.ts'

export const deleteVideos: Command = {
  name: 'delete',
  summary: 'Delete videos that have ended, with their files',
  about: [aboutAsking],
  positionals: { name: 'VIDEO_ID', least: 1, most: 100 },
  flags: [yesFlag],
  examples: { 'For good': 'spool delete v_3RB6SiNw --yes' },
  async run(given, session) {
    const { screen, signal, common } = session
    const { positionals: ids } = given
    const what = ids.length === 1 ? given.first : `${ids.length} videos`
    if (!(await askFirst(given, session, `Delete ${what} with all files`))) return
    const { videos } = await session.spool()
    for (const videoId of ids) {
      await videos.delete(videoId, { signal })
      screen.note(`${screen.mark('good')} Deleted ${videoId}`)
    }
    if (common.json) screen.printJson({ deleted: ids })
  },
}
