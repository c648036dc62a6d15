import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Video } from '../../api-types.ts'
import { CommandError, Interrupted } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import { sizeText } from '../terminal/quantities.ts'
import { saveFile, streamFile, type Download } from './download.ts'
import { shellWord } from './send-source.ts'
import {
  asFileName,
  checkOutput,
  isThere,
  outputPath,
  videoFormat,
  type OutputWish,
} from './output-file.ts'
import type { Context } from './with-progress.ts'

type Output = NonNullable<Video['outputs']>[number]
/** One of the files of a video, read from its record again when a link has expired. */
type Link = {
  readonly name: string
  of(video: Video): string | undefined
}
const theVideo: Link = { name: 'video', of: ({ finalVideoUrl }) => finalVideoUrl }
const theThumbnail: Link = { name: 'thumbnail', of: ({ thumbnailUrl }) => thumbnailUrl }

/** The files of a finished video by what they are; `video` is missing when it went to standard output. */
export type SavedFiles = {
  video?: string
  thumbnail?: string
  captions?: string
  /** What the request names as outputs, but for the first video. */
  outputs?: string[]
}

/** Saves the finished video, and next to it the thumbnail and the captions if there are any. */
export async function saveVideo(
  video: Video,
  wish: OutputWish,
  context: Context,
): Promise<SavedFiles> {
  const { first, others } = outputsOf(video)
  const main = video.finalVideoUrl === undefined ? others[0] : theVideo
  if (!main) throw noFile(video)
  if (wish.given === '-') {
    const download = downloadOf(video, main, 'Downloading', context)
    await streamFile(download, context.session.surroundings.stdout)
    return {}
  }
  await checkOutput(wish)
  const target = await outputPath(wish, first ? { ...video, outputFormat: first } : video)
  const saved: SavedFiles = {}
  if (video.finalVideoUrl !== undefined) {
    await saveOne(video, theVideo, target, wish, context)
    saved.video = target
  }
  await saveOthers(video, others, { target, saved }, wish, context)
  const beside = (ending: string) => besideOf(target, `.${ending}`)
  if (video.thumbnailUrl && (await isFree(beside('jpg'), wish, context))) {
    saved.thumbnail = beside('jpg')
    await saveOne(video, theThumbnail, saved.thumbnail, wish, context)
  }
  if (video.transcript?.status === 'completed' && (await isFree(beside('srt'), wish, context))) {
    saved.captions = beside('srt')
    await saveCaptions(video, saved.captions, wish, context)
  }
  return saved
}

/** The format of the first video, which `finalVideoUrl` leads to, and all other outputs. */
function outputsOf({ outputs = [] }: Video) {
  const firstAt = outputs.findIndex(({ format }) => videoFormat(format) !== undefined)
  const others = outputs
    .filter(({ url }, i) => i !== firstAt && url !== undefined)
    .flatMap((output) => (output.files ? linksInFolder(output) : [linkOf(output)]))
  return { first: videoFormat(outputs[firstAt]?.format), others }
}

type OtherLink = Link & { readonly ending: string }

function linkOf({ name, format = 'bin' }: Output): OtherLink {
  return {
    name: `output-${asFileName(name)}`,
    of: (video) => video.outputs?.find((one) => one.name === name)?.url,
    ending: `-${asFileName(name)}.${asFileName(format)}`,
  }
}

/** An output of several files is a folder, in which they know each other by their names. */
function linksInFolder(output: Output): OtherLink[] {
  const [main, folder] = [linkOf(output), `-${asFileName(output.name)}`]
  const index = asFileName(new URL(output.url ?? '').pathname.split('/').at(-1) ?? 'index')
  const parts = (output.files ?? []).map(({ file }): OtherLink => ({
    name: `${main.name}-${asFileName(file)}`,
    of: ({ outputs = [] }) =>
      outputs.find(({ name }) => name === output.name)?.files?.find((one) => one.file === file)
        ?.url,
    ending: `${folder}/${asFileName(file)}`,
  }))
  return [{ ...main, ending: `${folder}/${index}` }, ...parts]
}

/** The other outputs stand beside the first video, with their names. */
async function saveOthers(
  video: Video,
  others: readonly OtherLink[],
  { target, saved }: { target: string; saved: SavedFiles },
  wish: OutputWish,
  context: Context,
): Promise<void> {
  for (const other of others) {
    const file = besideOf(target, other.ending)
    if (!(await isFree(file, wish, context))) continue
    await mkdir(path.dirname(file), { recursive: true })
    await saveOne(video, other, file, wish, context)
    saved.outputs = [...(saved.outputs ?? []), file]
  }
}

function besideOf(target: string, ending: string): string {
  return target.replace(/(\.[^./\\]*)?$/, ending)
}

async function saveOne(
  video: Video,
  link: Link,
  target: string,
  { isForced }: OutputWish,
  context: Context,
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
  { session, spool, progress }: Context,
): Promise<void> {
  const text = await spool.transcripts.file(videoId, 'srt', { signal: session.signal })
  await writeFile(target, text, { flag: isForced ? 'w' : 'wx' })
  progress.done(`${session.screen.mark('good')} Saved ${target}`)
}

/** The video matters most: a file beside it does not make the whole command fail. */
async function isFree(
  file: string,
  { isForced }: OutputWish,
  { progress }: Context,
): Promise<boolean> {
  if (isForced || !(await isThere(file))) return true
  progress.say(`${file} exists already and was left as it is; --force replaces it.`)
  return false
}

function downloadOf(
  video: Video,
  link: Link,
  label: string,
  { session, spool, progress }: Context,
): Download {
  const { signal } = session
  let isFirst = true
  return {
    mark: `${video.videoId}-${link.name}`,
    signal,
    async link() {
      const url = link.of(isFirst ? video : await spool.videos.get(video.videoId, { signal }))
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

function noFile(video: Video): CommandError {
  return new CommandError(whyNoFile(video), exitCodes.notFound)
}

function whyNoFile({ videoId, status, filesExpireAt, suggestions, destinations }: Video): string {
  if (suggestions)
    return `${videoId} has no file to download: with --analyze-only no video is made.`
  if (status !== 'succeeded') return `${videoId} has no file to download: it is ${status}.`
  if (filesExpireAt !== undefined) return `The files of ${videoId} are gone since ${filesExpireAt}.`
  return destinations?.some(({ state }) => state === 'delivered')
    ? `The files of ${videoId} were delivered to your storages, and none is kept here.`
    : `The files of ${videoId} are gone.`
}
