import type { Command } from '../arguments/command.ts'
import { switchFlag, textFlag } from '../arguments/flag.ts'
import { checkOutput } from '../transfer/output-file.ts'
import { saveVideo } from '../transfer/save-video.ts'
import { outputWish, showResult } from './run.ts'
import { withProgress } from '../transfer/with-progress.ts'

export const download: Command = {
  name: 'download',
  summary: 'Save a finished video, with its thumbnail and captions',
  about: ['A download that was broken off is continued.'],
  positionals: { name: 'VIDEO_ID', least: 1, most: 1 },
  flags: [
    textFlag('output', 'FILE', 'Where it goes: a file, a folder, or - for standard output', {
      short: 'o',
    }),
    switchFlag('force', 'Replace files that exist', { short: 'f' }),
  ],
  examples: {
    'Into this folder, named after the video': 'spool download v_3RB6SiNw',
    'To a place of your choice': 'spool download v_3RB6SiNw -o /srv/videos/talk.mp4 --force',
  },
  async run(given, session) {
    const wish = outputWish(given, session)
    await checkOutput(wish)
    await withProgress(session, async (context) => {
      const video = await context.spool.videos.get(given.first, { signal: session.signal })
      const saved = await saveVideo(video, wish, context)
      context.progress.stop()
      if (wish.given !== '-') showResult(video, saved, session)
    })
  },
}
