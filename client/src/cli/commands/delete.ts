import type { Command } from '../arguments/command.ts'
import { aboutAsking, askFirst, yesFlag } from './ask-first.ts'
import { doToEach } from './each-video.ts'

export const deleteVideos: Command = {
  name: 'delete',
  summary: 'Delete videos that have ended, with their files',
  about: [aboutAsking],
  positionals: { name: 'VIDEO_ID', least: 1, most: 100 },
  flags: [yesFlag],
  examples: { 'For good': 'spool delete v_3RB6SiNw --yes' },
  async run(given, session) {
    const { positionals: ids } = given
    const what = ids.length === 1 ? given.first : `${ids.length} videos`
    if (!(await askFirst(given, session, `Delete ${what} with all files`))) return
    const { videos } = await session.spool()
    await doToEach(ids, session, {
      did: 'Deleted',
      act: async (videoId) => {
        await videos.delete(videoId, { signal: session.signal })
        return videoId
      },
      tell: (deleted) => ({ deleted }),
    })
  },
}
