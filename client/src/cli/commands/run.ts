import type { Video } from '../../api-types.ts'
import { VideoFailedError } from '../../errors.ts'
import { buildRequest, freeFlags } from '../arguments/build-request.ts'
import type { Command, Typed } from '../arguments/command.ts'
import { switchFlag, textFlag } from '../arguments/flag.ts'
import { requestFlags } from '../arguments/request-flags.ts'
import { UsageError } from '../session/command-error.ts'
import type { Session } from '../session/session.ts'
import { followVideo } from '../transfer/follow-video.ts'
import { checkOutput, type OutputWish } from '../transfer/output-file.ts'
import { createVideo, prepareSource } from '../transfer/prepare-source.ts'
import { showSuggestions } from './show-suggestions.ts'
import { saveVideo, type SavedFiles } from '../transfer/save-video.ts'
import { foresee, showPlan } from '../transfer/show-plan.ts'
import { findSources } from '../transfer/video-source.ts'
import { withProgress } from '../transfer/with-progress.ts'

export const run: Command = {
  name: 'run',
  summary: 'Process a video: send it, follow its progress, and download the result',
  about: [
    'Takes a file on this machine, an address that the service can fetch, or the id of an earlier video, whose source is used again without sending it. Several files and addresses are joined in the order in which they stand. - is standard input.',
    'The result is named after the video and never replaces a file, unless -o says where it goes and --force that it may. Its thumbnail and captions are saved next to it.',
  ],
  positionals: {
    ...{ name: 'FILE|URL|VIDEO', least: 0, most: 50 },
    fields: ['fileUrl', 'files', 'sourceVideoId'],
  },
  flags: [
    textFlag(
      'output',
      'FILE',
      'Where the result goes: a file, a folder, or - for standard output',
      { short: 'o' },
    ),
    switchFlag('force', 'Replace files that exist', { short: 'f' }),
    switchFlag('detach', 'Only start it, and print the id of the video', { short: 'd' }),
    switchFlag('download', 'Wait, but print the link instead of downloading', { usual: 'true' }),
    switchFlag('dry-run', 'Only say what would be done, step by step; nothing is sent or made'),
    switchFlag(
      'plan',
      'Send what it needs, and only say what would come of it: copied or encoded, length, size, time and price',
    ),
    ...freeFlags,
  ],
  requestFlags,
  examples: {
    'Upright, for a phone': 'spool run talk.mp4 --aspect-ratio 9:16 -o talk-upright.mp4',
    'Options that are kept under a name': 'spool run talk.mp4 --preset podcast',
    'Without pauses, with captions on the picture':
      'spool run talk.mp4 --remove-silence --captions',
    'Captions that follow the voice word by word, higher up':
      'spool run talk.mp4 --captions style=karaoke,position.y=60%',
    'Only say what could be cut, and make no video': 'spool run talk.mp4 --analyze-only',
    'Join clips': 'spool run intro.mp4 https://example.com/talk.mp4 -o whole.mp4',
    'Leave out the first two seconds, and put a logo in a corner': `spool run talk.mp4 --remove-segments startTime=0,endTime=2 \\
  --elements type=image,url=logo.png,position.anchor=top-right`,
    'What would be done, step by step': 'spool run talk.mp4 --preset podcast --dry-run',
    'How long it would take, how large the result is and what it costs':
      'spool run https://example.com/talk.mp4 --aspect-ratio 9:16 --plan',
    'The same file in another shape, without sending it again':
      'spool run v_8fJ2kQpX --aspect-ratio 1:1',
    'In a pipe': 'spool run - -o - < talk.mp4 | mpv -',
    'Start many, look later': 'for file in *.mp4; do spool run "$file" --detach; done',
  },
  run: runVideo,
}

async function runVideo(given: Typed, session: Session): Promise<void> {
  const request = buildRequest(given)
  const sources = await findSources(given.positionals, request)
  const wish = outputWish(given, session)
  await checkOutput(wish)
  await withProgress(session, async (context) => {
    const { progress } = context
    if (given.isOn('dry-run')) return showPlan(sources, request, context)
    const body = await prepareSource(sources, request, context)
    if (given.isOn('plan')) {
      progress.stop()
      return await foresee(body, context)
    }
    const { videoId } = await createVideo(body, sources, context)
    if (given.isOn('detach')) return showStarted(videoId, session)
    progress.done(session.screen.notePaint.dim(`Video ${videoId}`))
    const video = await followVideo(videoId, context)
    if (video.status !== 'succeeded') {
      if (session.common.json) session.screen.printJson(video)
      throw new VideoFailedError(video)
    }
    const isSaved = given.value('download') !== false && video.suggestions === undefined
    const saved = isSaved ? await saveVideo(video, wish, context) : {}
    progress.stop()
    if (wish.given !== '-' || video.suggestions) showResult(video, saved, session)
  })
}

export function outputWish(given: Typed, { surroundings }: Session): OutputWish {
  const output = given.text('output')
  if (output === '') throw new UsageError('-o needs the name of a file.')
  if (output === '-' && surroundings.stdout.isTTY) {
    throw new UsageError('A terminal cannot show a video: pass it on to a program or a file.')
  }
  return { given: output, isForced: given.isOn('force') }
}

function showStarted(videoId: string, { common, screen }: Session): void {
  if (common.json) screen.printJson({ videoId })
  else screen.printLine(videoId)
}

/** In a pipe, the name of the file or the link is the result; a terminal has shown the name already. */
export function showResult(video: Video, saved: SavedFiles, { common, screen }: Session): void {
  if (common.json) screen.printJson({ ...video, savedFiles: saved })
  else if (video.suggestions) showSuggestions(video.suggestions, screen)
  else if (saved.video === undefined && !saved.outputs) {
    screen.printLine(video.finalVideoUrl ?? '')
  } else if (screen.columns === undefined) {
    for (const file of [saved.video ?? [], saved.outputs ?? []].flat()) screen.printLine(file)
  }
}
