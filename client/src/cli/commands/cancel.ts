import type { Command } from '../arguments/command.ts'

export const cancel: Command = {
  name: 'cancel',
  summary: 'Cancel videos that have not ended',
  positionals: { name: 'VIDEO_ID', least: 1, most: 100 },
  examples: {
    One: 'spool cancel v_3RB6SiNw',
    'All that wait': `spool list --status queued --all --json | jq -r '.[].videoId' | xargs spool cancel`,
  },
  async run({ positionals }, session) {
    const { screen, signal, common } = session
    const { videos } = await session.spool()
    const canceled = []
    for (const videoId of positionals) {
      canceled.push(await videos.cancel(videoId, { signal }))
      screen.note(`${screen.mark('good')} Canceled ${videoId}`)
    }
    if (common.json) screen.printJson(canceled)
  },
}
