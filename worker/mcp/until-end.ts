import type { VideoRecord } from '../contract/video/video-record.ts'
import { sayLeft } from '../contract/video/say-left.ts'
import type { ToolContext } from './tool.ts'

type Read = () => Promise<Uint8Array | undefined>

/**
 * Reads the events of a video until it ends, the time is over or the client is gone, and reports each step. Returns the
 * last record that it read.
 */
export async function untilEnd(
  events: Response,
  ms: number,
  { report, signal }: Pick<ToolContext, 'report' | 'signal'>,
): Promise<VideoRecord | undefined> {
  const body: ReadableStream<Uint8Array> | null = events.body
  if (!body) return undefined
  const reader = body.getReader()
  const over = Promise.withResolvers<undefined>()
  const leave = () => over.resolve(undefined)
  const timer = setTimeout(leave, ms)
  signal.addEventListener('abort', leave)
  let last: VideoRecord | undefined
  try {
    const read: Read = async () => (await Promise.race([reader.read(), over.promise]))?.value
    for await (const record of recordsIn(read)) {
      last = record
      const doing = [record.phase ?? record.status, sayLeft(record)]
      await report(record.progressPercent, doing.filter(Boolean).join(', '))
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    await reader.cancel()
  }
  return last
}

/** The record of every event. Comments keep the connection open and say nothing. */
async function* recordsIn(read: Read): AsyncGenerator<VideoRecord> {
  const decoder = new TextDecoder()
  let unread = ''
  for (let bytes = await read(); bytes; bytes = await read()) {
    const blocks = (unread + decoder.decode(bytes, { stream: true })).split('\n\n')
    unread = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      // The service has written it itself.
      if (data !== undefined) yield JSON.parse(data) as VideoRecord
    }
  }
}
