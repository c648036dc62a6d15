import type { UploadedOutput } from '../../../worker/contract/job/report.ts'

type Grant = { partSizeBytes: number; parts: { partNumber: number; url: string }[] }
type Post = { url: string; key: string; body: unknown; signal: AbortSignal }

/** The code of the media worker that sends files to the bucket. */
export type StoringParts = {
  signedPost: (post: Post) => Promise<Response>
  isUnwanted: (status: number) => boolean
  outputGrant: { parse: (grant: unknown) => Grant }
  fetchOut: (url: string, init: RequestInit) => Promise<Response>
}

/** Which bytes of a file go to each address. */
export function piecesOf({ partSizeBytes, parts }: Grant, bytes: Uint8Array<ArrayBuffer>) {
  return parts.map(({ url, partNumber }, i) => {
    const body = bytes.subarray(i * partSizeBytes, (i + 1) * partSizeBytes)
    return { url, partNumber, body }
  })
}

/** Sends the pieces of a small file to their addresses. Those that come first may be told last. */
export async function storeParts(
  { fetchOut }: StoringParts,
  grant: Grant,
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<UploadedOutput['parts']> {
  const stored: UploadedOutput['parts'] = []
  for (const { partNumber, url, body } of piecesOf(grant, new TextEncoder().encode(text))) {
    const response = await fetchOut(url, { method: 'PUT', body, signal })
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) throw new Error(`A part was answered ${response.status}`)
    stored.unshift({ partNumber, etag })
  }
  return stored
}
