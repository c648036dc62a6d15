import type { CreateVideo, VideoAccepted } from '../../api-types.ts'
import { ApiError } from '../../errors.ts'
import {
  findOverlays,
  standInAddress,
  standInUpload,
  withOverlays,
  type Request,
} from './overlay-files.ts'
import { sendFile, type File } from './send-source.ts'
import type { Source } from './video-source.ts'
import type { Context } from './with-progress.ts'

/** Brings every input to where the service can read it, and answers the whole request. */
export async function prepareSource(
  sources: readonly Source[],
  request: Request,
  context: Context,
): Promise<CreateVideo> {
  const [first] = sources
  const overlays = await findOverlays(request)
  const sends = overlays.size > 0 || sources.some(({ kind }) => kind === 'file')
  if (sends) await rehearse(sources, withOverlays(request, overlays, standInAddress), context)
  const addresses = await sendOverlays(overlays, context)
  const whole = withOverlays(request, overlays, (path) => addresses.get(path) ?? path)
  if (first && sources.length === 1)
    return { ...whole, ...(await sourceOf(first, request, context)) }
  const files: { url: string }[] = []
  for (const source of sources) files.push({ url: await addressOf(source, context) })
  return { ...whole, files, combine: true }
}

async function sourceOf(source: Source, request: Request, context: Context): Promise<CreateVideo> {
  if (source.kind === 'request') return {}
  if (source.kind === 'url') return { fileUrl: source.url }
  if (source.kind === 'video') return { sourceVideoId: source.videoId }
  const begun = request['uploadId']
  return {
    uploadId: await sendFile(source, context, typeof begun === 'string' ? begun : undefined),
  }
}

/** Clips are joined from addresses; that of a file on this machine is its upload. */
async function addressOf(source: Source, context: Context): Promise<string> {
  if (source.kind === 'url') return source.url
  if (source.kind !== 'file') throw new Error('a request is never one of several sources')
  return `upload://${await sendFile(source, context, undefined)}`
}

/** Each file is sent once, however often it is laid over the video. */
async function sendOverlays(
  overlays: ReadonlyMap<string, File>,
  context: Context,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>()
  for (const [path, file] of overlays) {
    addresses.set(path, `upload://${await sendFile(file, context, undefined)}`)
  }
  return addresses
}

/**
 * Asks for the same video of an upload that does not exist. The service reports every fault of a request before it looks
 * for the upload, so a mistake is known before the file is sent, which may take an hour.
 */
async function rehearse(
  sources: readonly Source[],
  request: Request,
  { spool, session, progress }: Context,
): Promise<void> {
  progress.show({ label: 'Checking the options' })
  // Several clips are named by addresses that nobody knows yet.
  const { combine, ...others } = request
  const body =
    sources.length > 1 ? others : { ...others, ...(combine === undefined ? {} : { combine }) }
  try {
    const { signal } = session
    await spool.videos.create({ ...body, uploadId: standInUpload }, { signal })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'NotFound')) throw error
  }
}

/** Starts the video. When it is refused after the file was sent, the file need not be sent again. */
export async function createVideo(
  body: CreateVideo,
  sources: readonly Source[],
  { spool, session }: Context,
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
