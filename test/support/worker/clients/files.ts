import { send, type Answer } from '../client.ts'
import { aFinishedVideo } from '../videos.ts'
import { finalText } from '../attempt.ts'

export type Headings = Record<string, string>
type LinkedFile = { path: string; get(headers?: Headings): Promise<Answer>; videoId: string }

/** The link of a finished video, and a way to ask for it. */
export async function aFile(request: object = {}, which = 'finalVideoUrl'): Promise<LinkedFile> {
  const { client, videoId } = await aFinishedVideo(undefined, { ...request })
  const { json } = await client.get(`/v1/videos/${videoId}`)
  const { pathname, search } = new URL(String(json[which]))
  return fileAt(pathname + search, videoId)
}

export function fileAt(path: string, videoId: string): LinkedFile {
  return { path, videoId, get: async (headers = {}) => send(path, { headers }) }
}

/** What is left of a link that has lost its query. */
export function withoutQuery({ path, videoId }: LinkedFile): LinkedFile {
  return fileAt(path.split('?')[0] ?? '', videoId)
}

export const ofPart = ({ status, text, headers }: Answer) => ({
  status,
  text,
  length: headers.get('Content-Length'),
  range: headers.get('Content-Range'),
})
export const whole = { status: 200, text: finalText, length: '26', range: null }

/** What a client remembers of the file that it has, and a time before that. */
export async function versionOf(file: LinkedFile) {
  const { headers } = await file.get()
  const modified = headers.get('Last-Modified') ?? ''
  const earlier = new Date(Date.parse(modified) - 5000).toUTCString()
  return { etag: headers.get('ETag') ?? '', modified, earlier }
}
