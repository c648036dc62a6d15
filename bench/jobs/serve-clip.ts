import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type ServedClip = { url: string; close: () => void }

/** Half a second of test picture and tone, made by ffmpeg and served on the loopback. */
export async function serveClip(folder: string): Promise<ServedClip> {
  const file = path.join(folder, 'tiny.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=0.5']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=0.5']
  const coding = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, ...coding, '-shortest', file])
  const bytes = await readFile(file)
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'video/mp4', 'Content-Length': bytes.length })
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return {
    url: `http://127.0.0.1:${address.port}/tiny.mp4`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
