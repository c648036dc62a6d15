import { VideoFailedError } from '../../errors.ts'
import type { Command } from '../arguments/command.ts'
import { showSuggestions } from './show-suggestions.ts'
import { followVideo } from '../transfer/follow-video.ts'
import { withProgress } from '../transfer/with-progress.ts'

export const watch: Command = {
  name: 'watch',
  summary: 'Follow a video until it has ended',
  about: [
    'With --json, prints the record in one line each time it has changed. The exit code tells how the video has ended.',
  ],
  positionals: { name: 'VIDEO_ID', least: 1, most: 1 },
  examples: {
    'Follow it': 'spool watch v_3RB6SiNw',
    'Go on when it is done': 'spool watch v_3RB6SiNw -q && spool download v_3RB6SiNw',
  },
  async run({ first }, session) {
    const { screen, common } = session
    const onRecord = (record: object) => {
      if (common.json) screen.print(JSON.stringify(record))
    }
    const video = await withProgress(session, async (context) =>
      followVideo(first, context, onRecord),
    )
    if (video.status !== 'succeeded') throw new VideoFailedError(video)
    if (common.json) return
    if (video.suggestions) showSuggestions(video.suggestions, screen)
    else if (screen.columns === undefined) screen.printLine(video.finalVideoUrl ?? '')
  },
}
