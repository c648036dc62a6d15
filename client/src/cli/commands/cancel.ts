import type { Command } from '../arguments/command.ts'
import { doToEach } from './each-video.ts'

export const cancel: Command = {
  name: 'cancel',
  summary: 'Cancel videos that have not ended',
  positionals: { name: 'VIDEO_ID', least: 1, most: 100 },
  examples: {
    One: 'spool cancel v_3RB6SiNw',
    'All that wait': `spool list --status queued --all --json | jq -r '.[].videoId' | xargs spool cancel`,
  },
  async run({ positionals }, session) {
    const { videos } = await session.spool()
    await doToEach(positionals, session, {
      did: 'Canceled',
      act: async (videoId) => videos.cancel(videoId, { signal: session.signal }),
      tell: (canceled) => canceled,
    })
  },
}
