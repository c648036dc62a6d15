import { ApiError } from '../../errors.ts'
import type { Spool } from '../../spool.ts'
import { describeFailure } from '../session/failure.ts'
import { sizeText } from '../terminal/quantities.ts'
import { findLocalVideo, NotSent, type LocalVideo } from './local-video.ts'
import { toolAnswer, type Request } from './message.ts'

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

type Surroundings = { spool: Spool; homeFolder: string; folders: readonly string[] }

/** Sends files when an agent asks for it, and remembers uploads that were cut off. */
export class Uploader {
  readonly #surroundings: Surroundings
  readonly #begun = new Map<string, string>()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** The answer of the tool, and before it a message whenever something has arrived. */
  async run(request: Request, signal: AbortSignal, write: (message: unknown) => void) {
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
function reporter({ params }: Request, write: (message: unknown) => void) {
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
