import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { StopWithMessage } from '../machine/stop-with-message.ts'

/** What ffmpeg writes to its standard output. */
export async function runFfmpeg(args: readonly string[], signal: AbortSignal): Promise<Buffer> {
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  const ended = once(child, 'close') as Promise<[number | null]>
  const [written, complaint, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    ended,
  ])
  if (code !== 0) throw new StopWithMessage(`ffmpeg failed: ${complaint.trim().slice(-500)}`)
  return written
}
