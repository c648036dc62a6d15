import type { UploadedOutput } from '../../../worker/contract/job/report.ts'

type Grant = { parts: { partNumber: number; url: string }[] }
type Post = { url: string; key: string; body: unknown; signal: AbortSignal }

/** The code of the media worker that sends files to the bucket. */
export type StoringParts = {
  signedPost: (post: Post) => Promise<Response>
  isUnwanted: (status: number) => boolean
  outputGrant: { parse: (grant: unknown) => Grant }
  fetchOut: (url: string, init: RequestInit) => Promise<Response>
}

/** Sends the one piece of a small file to its address. */
export async function storeParts(
  { fetchOut }: StoringParts,
  { parts }: Grant,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<UploadedOutput['parts']> {
  const stored: UploadedOutput['parts'] = []
  for (const { partNumber, url } of parts) {
    const response = await fetchOut(url, { method: 'PUT', body: text, signal })
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) throw new Error(`A part was answered ${response.status}`)
    stored.push({ partNumber, etag })
  }
  return stored
}
