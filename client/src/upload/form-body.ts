import { uniqueText } from '../unique-text.ts'
import type { SourceFacts } from './opened-source.ts'

type Reported = (progress: { sentBytes: number; totalBytes: undefined }) => void

/** A form with these fields and the file at its end, written while it is sent: nobody knows how long it will be. */
export function formBody(
  source: SourceFacts,
  fields: object,
  onProgress: Reported | undefined,
): { contentType: string; body: ReadableStream<Uint8Array> } {
  const boundary = `spool-${uniqueText()}`
  const pieces = writeForm(boundary, source, fields, onProgress)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return { contentType: `multipart/form-data; boundary=${boundary}`, body }
}

async function* writeForm(
  boundary: string,
  { fileName, contentType, stream }: SourceFacts,
  fields: object,
  onProgress: Reported | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    yield encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
  }
  const type = contentType ?? 'application/octet-stream'
  yield encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(fileName ?? 'video')}"\r\nContent-Type: ${type}\r\n\r\n`,
  )
  let sentBytes = 0
  for await (const chunk of stream()) {
    yield chunk
    sentBytes += chunk.length
    onProgress?.({ sentBytes, totalBytes: undefined })
  }
  yield encoder.encode(`\r\n--${boundary}--\r\n`)
}

/** As browsers write the name of a file into a form. */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
