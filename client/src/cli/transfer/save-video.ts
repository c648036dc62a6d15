import { writeFile } from 'node:fs/promises'
import type { Video } from '../../api-types.ts'
import type { Spool } from '../../spool.ts'
import { CommandError, Interrupted } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import type { Progress } from '../terminal/progress.ts'
import { sizeText } from '../terminal/quantities.ts'
import { saveFile, streamFile, type Download } from './download.ts'
import { shellWord } from './send-source.ts'
import { checkOutput, isThere, outputPath, type OutputWish } from './output-file.ts'

type With = { session: Session; spool: Spool; progress: Progress }
type Link = 'finalVideoUrl' | 'thumbnailUrl'

/** The files of a finished video by what they are; `video` is missing when it went to standard output. */
export type SavedFiles = { video?: string; thumbnail?: string; captions?: string }

/** Saves the finished video, and next to it the thumbnail and the captions if there are any. */
export async function saveVideo(
  video: Video,
  wish: OutputWish,
  context: With,
): Promise<SavedFiles> {
  if (video.finalVideoUrl === undefined) throw noFile(video)
  if (wish.given === '-') {
    await streamFile(
      downloadOf(video, 'finalVideoUrl', 'Downloading', context),
      context.session.surroundings.stdout,
    )
    return {}
  }
  await checkOutput(wish)
  const target = await outputPath(wish, video)
  await saveOne(video, 'finalVideoUrl', target, wish, context)
  const saved: SavedFiles = { video: target }
  const beside = (ending: string) => target.replace(/(\.[^./\\]*)?$/, `.${ending}`)
  if (video.thumbnailUrl && (await isFree(beside('jpg'), wish, context))) {
    saved.thumbnail = beside('jpg')
    await saveOne(video, 'thumbnailUrl', saved.thumbnail, wish, context)
  }
  if (video.transcript?.status === 'completed' && (await isFree(beside('srt'), wish, context))) {
    saved.captions = beside('srt')
    await saveCaptions(video, saved.captions, wish, context)
  }
  return saved
}

async function saveOne(
  video: Video,
  link: Link,
  target: string,
  { isForced }: OutputWish,
  context: With,
): Promise<void> {
  const { session, progress } = context
  const download = downloadOf(video, link, `Downloading ${target}`, context)
  const size = await saveFile(download, target, isForced).catch((error: unknown) => {
    if (!session.signal.aborted) throw error
    const again = `${shellWord(video.videoId)} -o ${shellWord(target)}`
    throw new Interrupted(true, [`Continue with \`spool download ${again}\`.`])
  })
  progress.done(`${session.screen.mark('good')} Saved ${target} (${sizeText(size)})`)
}

async function saveCaptions(
  { videoId }: Video,
  target: string,
  { isForced }: OutputWish,
  { session, spool, progress }: With,
): Promise<void> {
  const text = await spool.transcripts.file(videoId, 'srt', { signal: session.signal })
  await writeFile(target, text, { flag: isForced ? 'w' : 'wx' })
  progress.done(`${session.screen.mark('good')} Saved ${target}`)
}

/** The video matters most: a file beside it does not make the whole command fail. */
async function isFree(
  file: string,
  { isForced }: OutputWish,
  { progress }: With,
): Promise<boolean> {
  if (isForced || !(await isThere(file))) return true
  progress.say(`${file} exists already and was left as it is; --force replaces it.`)
  return false
}

function downloadOf(
  video: Video,
  link: Link,
  label: string,
  { session, spool, progress }: With,
): Download {
  const { signal } = session
  let isFirst = true
  return {
    mark: `${video.videoId}-${link === 'finalVideoUrl' ? 'video' : 'thumbnail'}`,
    signal,
    async link() {
      const url = isFirst ? video[link] : (await spool.videos.get(video.videoId, { signal }))[link]
      isFirst = false
      if (url === undefined) throw noFile(video)
      return url
    },
    onProgress({ bytes, total }) {
      const detail =
        total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of ${sizeText(total)}`
      progress.show({ label, fraction: total ? bytes / total : undefined, detail })
    },
  }
}

function noFile({ videoId, status, filesExpireAt, suggestions }: Video): CommandError {
  if (suggestions) {
    const why = `${videoId} has no file to download: with --analyze-only no video is made.`
    return new CommandError(why, exitCodes.notFound)
  }
  const why =
    status === 'succeeded'
      ? `The files of ${videoId} are gone since ${filesExpireAt ?? 'a while'}.`
      : `${videoId} has no file to download: it is ${status}.`
  return new CommandError(why, exitCodes.notFound)
}
