import { ApiError } from '../../errors.ts'
import type { Spool } from '../../spool.ts'
import { describeFailure } from '../session/failure.ts'
import { sizeText } from '../terminal/quantities.ts'
import { toolAnswer, type RequestMessage } from './message.ts'
import { open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { headBytes, knownVideos, looksLikeVideo } from '../../upload/looks-like-video.ts'

/** In place of the tool of the service that answers commands for a shell. */
export const replacedTool = 'open_upload'

export const uploadTool = {
  name: 'upload_file',
  title: 'Upload a file on this machine',
  description:
    'Sends a video file on this machine (MP4, MOV, MKV, WebM, MPEG-TS and others) and answers its uploadId, for make_video. Only send files that your user has named. If it is cut off, call it again: it continues.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path of the file, best an absolute one' } },
    required: ['path'],
  },
  annotations: {
    ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    openWorldHint: false,
  },
}

type UploadPlaces = { spool: Spool; homeFolder: string; folders: readonly string[] }

/** Sends files when an agent asks for it, and remembers uploads that were cut off. */
export class Uploader {
  readonly #surroundings: UploadPlaces
  readonly #begun = new Map<string, string>()

  constructor(surroundings: UploadPlaces) {
    this.#surroundings = surroundings
  }

  /** The answer of the tool, and before it a message whenever something has arrived. */
  async run(request: RequestMessage, signal: AbortSignal, write: (message: unknown) => void) {
    const args = request.params?.['arguments'] as { path?: unknown } | undefined
    if (typeof args?.path !== 'string' || args.path === '') {
      return toolAnswer(request.id, 'Not accepted:\n- path: Required: the path of a video file')
    }
    try {
      const video = await findLocalVideo(args.path, this.#surroundings)
      const uploadId = await this.#send(video, signal, reporter(request, write))
      const next = `call make_video with uploadId ${uploadId} and your options.`
      const text = `${video.name} (${sizeText(video.size)}) is uploaded.\nNext: ${next}`
      return toolAnswer(request.id, text, { uploadId, sizeInBytes: video.size, next })
    } catch (error) {
      if (signal.aborted) throw error
      return toolAnswer(
        request.id,
        `${explain(error)}\nNext: tell your user, or name another file.`,
      )
    }
  }

  async #send(
    { path, name, size }: LocalVideo,
    signal: AbortSignal,
    report: (percent: number) => void,
  ): Promise<string> {
    const file = `${path} ${size}`
    const send = async (uploadId: string | undefined) => {
      const sent = await this.#surroundings.spool.uploads.send(path, {
        ...{ signal, uploadId, fileName: name },
        onProgress: (step) => {
          if (step.uploadId !== undefined) this.#begun.set(file, step.uploadId)
          report(Math.floor((100 * step.sentBytes) / size))
        },
      })
      this.#begun.delete(file)
      return sent.uploadId
    }
    const begun = this.#begun.get(file)
    if (begun === undefined) return send(undefined)
    try {
      return await send(begun)
    } catch (error) {
      // It has expired, or somebody has made a video of it.
      if (error instanceof ApiError && [404, 409].includes(error.status)) return send(undefined)
      throw error
    }
  }
}

/** Tells how far an upload is, if the agent's client wants to know. The protocol wants a number that grows. */
function reporter({ params }: RequestMessage, write: (message: unknown) => void) {
  const progressToken = (params?.['_meta'] as { progressToken?: unknown } | undefined)
    ?.progressToken
  let reported = -1
  return (progress: number) => {
    if (progressToken === undefined || progress <= reported) return
    reported = progress
    const told = { progressToken, progress, total: 100, message: 'uploading' }
    write({ jsonrpc: '2.0', method: 'notifications/progress', params: told })
  }
}

function explain(error: unknown): string {
  if (error instanceof NotSent) return error.message
  const { message, faults } = describeFailure(error)
  return [message, ...faults.map((fault) => `- ${fault.path}: ${fault.message}`)].join('\n')
}

type LocalVideo = { path: string; name: string; size: number }

/** Why a file is not sent; the text is for the agent. */
class NotSent extends Error {}

type AllowedFolders = { homeFolder: string; folders: readonly string[] }

/**
 * The video file at a path, if it may be sent. An agent can be talked into sending anything, so what is not a video does
 * not leave the machine, and nothing does from outside of the folders, also by a link in one of them.
 */
async function findLocalVideo(given: string, where: AllowedFolders): Promise<LocalVideo> {
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
