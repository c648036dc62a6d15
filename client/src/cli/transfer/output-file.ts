import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Video } from '../../api-types.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import { unsafe } from '../terminal/paint.ts'

export type OutputWish = {
  /** As `-o` has it: a file, a folder, or - for standard output. Undefined: a free name here. */
  given: string | undefined
  isForced: boolean
}

/** Refuses what cannot be written before anything else is done. */
export async function checkOutput({ given, isForced }: OutputWish): Promise<void> {
  if (given === undefined || given === '-') return
  const facts = await factsOf(given)
  if (facts?.isDirectory()) return
  if (facts && !isForced) throw alreadyThere(given)
  const folder = path.dirname(given)
  if (/[/\\]$/.test(given) || !(await factsOf(folder))?.isDirectory()) {
    throw new CommandError(`The folder of ${given} does not exist.`, exitCodes.localFile)
  }
}

/** Where the file of a video goes. */
export async function outputPath(
  { given, isForced }: OutputWish,
  video: Pick<Video, 'videoName' | 'videoId' | 'outputFormat'>,
): Promise<string> {
  const isFolder = given !== undefined && (await factsOf(given))?.isDirectory()
  if (given !== undefined && !isFolder) return given
  const name = `${fileName(video)}.${videoFormat(video.outputFormat ?? 'mp4') ?? 'video'}`
  const wished = path.join(given ?? '', name)
  if (isForced && given !== undefined) return wished
  // In the folder of the source, the name of the video is often taken by the source itself.
  return freeName(wished)
}

type SavedFormat = NonNullable<Video['outputFormat']>

const videoFormats: Record<SavedFormat, true> = { mp4: true, mov: true, avi: true, webm: true }

/** The format if it is one of videos: the service must not choose the type of a file. */
export function videoFormat(format = ''): SavedFormat | undefined {
  return Object.hasOwn(videoFormats, format) ? (format as SavedFormat) : undefined
}

/** The name of a video, without what no file name may have. */
export function fileName({ videoName, videoId }: Pick<Video, 'videoName' | 'videoId'>): string {
  return asFileName(videoName) || asFileName(videoId) || 'video'
}

/** A word of a service as a part of a file name: it leads to no other folder, and looks like what it is. */
export function asFileName(text: string): string {
  const plain = text
    .replaceAll(unsafe, '_')
    .replaceAll(/[\n\t/\\:*?"<>|]/g, '_')
    .replace(/^[.\s-]+/, '')
  return Array.from(plain)
    .slice(0, 100)
    .join('')
    .replace(/[.\s]+$/, '')
}

async function freeName(wished: string): Promise<string> {
  const { dir, name, ext } = path.parse(wished)
  for (let count = 1; ; count++) {
    const file = path.join(dir, count === 1 ? `${name}${ext}` : `${name}-${count}${ext}`)
    if (!(await isThere(file))) return file
  }
}

export async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

export function alreadyThere(file: string): CommandError {
  return new CommandError(`${file} exists already.`, exitCodes.localFile, [
    'Pass --force to replace it, or another -o.',
  ])
}

async function factsOf(file: string) {
  return stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
}
