import { open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { headBytes, knownVideos, looksLikeVideo } from '../../upload/looks-like-video.ts'

export type LocalVideo = { path: string; name: string; size: number }

/** Why a file is not sent; the text is for the agent. */
export class NotSent extends Error {}

type Where = { homeFolder: string; folders: readonly string[] }

/**
 * The video file at a path, if it may be sent. An agent can be talked into sending anything, so what is not a video does
 * not leave the machine, and nothing does from outside of the folders, also by a link in one of them.
 */
export async function findLocalVideo(given: string, where: Where): Promise<LocalVideo> {
  const wanted = path.resolve(given.replace(/^~(?=$|\/)/, where.homeFolder))
  const actual = await realpath(wanted).catch(() => wanted)
  if (where.folders.length > 0 && !(await isBelow(actual, where.folders))) {
    throw new NotSent(
      `${given} is not in a folder whose files may be sent: ${where.folders.join(', ')}.`,
    )
  }
  const found = await stat(actual).catch(() => undefined)
  if (!found?.isFile()) throw new NotSent(`There is no file ${wanted} that can be read.`)
  if (!looksLikeVideo(await readHead(actual))) {
    throw new NotSent(`${given} is none of these, so it was not sent: ${knownVideos}.`)
  }
  return { path: actual, name: path.basename(wanted), size: found.size }
}

async function isBelow(file: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const step = path.relative(await realpath(folder), file)
    if (step !== '' && !step.startsWith('..') && !path.isAbsolute(step)) return true
  }
  return false
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file).catch(() => {
    throw new NotSent(`${file} may not be read.`)
  })
  try {
    const head = Buffer.alloc(headBytes)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
