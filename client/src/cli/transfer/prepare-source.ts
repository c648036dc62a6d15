import type { CreateVideo, Video, VideoAccepted } from '../../api-types.ts'
import { ApiError, VideoFailedError } from '../../errors.ts'
import type { Spool } from '../../spool.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import type { Session } from '../session/session.ts'
import type { Progress } from '../terminal/progress.ts'
import { followVideo } from './follow-video.ts'
import { sendFile } from './send-source.ts'
import type { Source } from './video-source.ts'

type With = { session: Session; spool: Spool; progress: Progress }
type Request = Readonly<Record<string, unknown>>

type Prepared = {
  /** The whole request. */
  body: CreateVideo
  /** Removes the videos that were made only to give files an address. */
  tidy: () => Promise<void>
}

const nothingToTidy = async () => undefined

/** Brings every input to where the service can read it. */
export async function prepareSource(
  sources: readonly Source[],
  request: Request,
  context: With,
): Promise<Prepared> {
  const [first] = sources
  if (sources.some(({ kind }) => kind === 'file')) await rehearse(sources, request, context)
  if (first && sources.length === 1) return prepareOne(first, request, context)
  const clips: Clip[] = []
  for (const source of sources) clips.push(await prepareClip(source, context))
  const made = clips.flatMap(({ madeFor }) => madeFor ?? [])
  const files = clips.map(({ url }) => ({ url }))
  const body = { ...request, files, combine: true } as CreateVideo
  return { body, tidy: async () => deleteAll(made, context.spool) }
}

async function prepareOne(source: Source, request: Request, context: With): Promise<Prepared> {
  const tidy = nothingToTidy
  if (source.kind === 'request') return { body: request, tidy }
  if (source.kind === 'url') return { body: { ...request, fileUrl: source.url }, tidy }
  if (source.kind === 'video') {
    return { body: { ...request, sourceVideoId: source.videoId }, tidy }
  }
  const begun = request['uploadId']
  const uploadId = await sendFile(source, context, typeof begun === 'string' ? begun : undefined)
  return { body: { ...request, uploadId }, tidy }
}

type Clip = { url: string; madeFor?: string }

/**
 * Clips are joined from addresses. A file of this machine gets one as a video of its own, which changes nothing about
 * it and is deleted when the whole is done.
 */
async function prepareClip(source: Source, context: With): Promise<Clip> {
  if (source.kind === 'url') return { url: source.url }
  if (source.kind !== 'file') throw new Error('a request is never one of several sources')
  const { spool, session } = context
  const uploadId = await sendFile(source, context, undefined)
  const { videoId } = await spool.videos.create(
    { uploadId, videoName: source.name.slice(0, 255) },
    { signal: session.signal },
  )
  const video = await followVideo(videoId, context)
  if (video.status !== 'succeeded') throw new VideoFailedError(video)
  return { url: linkOf(video), madeFor: videoId }
}

function linkOf({ finalVideoUrl, videoId }: Video): string {
  if (finalVideoUrl !== undefined) return finalVideoUrl
  throw new CommandError(`${videoId} has no link.`, exitCodes.notFound)
}

async function deleteAll(videoIds: readonly string[], spool: Spool): Promise<void> {
  for (const videoId of videoIds) await spool.videos.delete(videoId)
}

/** No upload has this id. */
const noUpload = 'u_0'

/**
 * Asks for the same video of an upload that does not exist. The service reports every fault of a request before it looks
 * for the upload, so a mistake is known before the file is sent, which may take an hour.
 */
async function rehearse(
  sources: readonly Source[],
  request: Request,
  { spool, session, progress }: With,
): Promise<void> {
  progress.show({ label: 'Checking the options' })
  // Several clips are named by addresses that nobody knows yet.
  const { combine, ...others } = request
  const body =
    sources.length > 1 ? others : { ...others, ...(combine === undefined ? {} : { combine }) }
  try {
    const { signal } = session
    await spool.videos.create({ ...body, uploadId: noUpload }, { signal })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NotFound')) throw error
  }
}

/** Starts the video. When it is refused after the file was sent, the file need not be sent again. */
export async function createVideo(
  { body }: Prepared,
  sources: readonly Source[],
  { spool, session }: With,
): Promise<VideoAccepted> {
  try {
    return await spool.videos.create(body, { signal: session.signal })
  } catch (error) {
    if (sources.length === 1 && sources[0]?.kind === 'file') {
      session.screen.note(
        `The file is kept for a day: use --upload-id ${body.uploadId} instead of it.`,
      )
    }
    throw error
  }
}
