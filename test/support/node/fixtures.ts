import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { soonerEnvironment } from './first-libraries.ts'

const run = promisify(execFile)

type FixtureSpec = {
  /** Seconds of picture. */
  seconds?: number
  size?: string
  fps?: number | string
  /** Hertz of a sine; `null` for no sound. */
  tone?: number | null
  channels?: number
  sampleRate?: number
  /** Options before the codec: `['-vf', 'setsar=2']`. */
  filters?: readonly string[]
  /** Codec and container options. */
  coding?: readonly string[]
  extension?: string
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p']

/**
 * A small video made by ffmpeg, cached by its description: the same call returns the same file, whichever test or
 * process asks first.
 */
export async function makeVideo(spec: FixtureSpec = {}): Promise<string> {
  const { seconds = 2, size = '160x120', fps = 25, tone = 440 } = spec
  const { channels = 2, sampleRate = 44_100 } = spec
  const sound = `sine=frequency=${tone}:sample_rate=${sampleRate}:duration=${seconds}`
  return makeFile(spec.extension ?? 'mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${seconds}`],
    ...(tone === null ? [] : ['-f', 'lavfi', '-i', sound]),
    ...(spec.filters ?? []),
    ...(spec.coding ?? [...h264, '-c:a', 'aac', '-b:a', '64k']),
    ...(tone === null ? [] : ['-ac', String(channels)]),
  ])
}

/** Makes any file that ffmpeg can make. */
export async function makeFile(extension: string, args: readonly string[]): Promise<string> {
  const folder = path.join(tmpdir(), 'spool-test-fixtures')
  const name = createHash('sha256')
    .update(JSON.stringify([extension, args]))
    .digest('hex')
  const file = path.join(folder, `${name.slice(0, 24)}.${extension}`)
  if (await exists(file)) return file
  await mkdir(folder, { recursive: true })
  // Written under another name and then renamed, because another test may want the same file at this moment.
  const draft = path.join(folder, `${name.slice(0, 24)}.${randomUUID()}.${extension}`)
  const asked = ['-nostdin', '-v', 'error', '-y', ...args, draft]
  await run('ffmpeg', asked, { env: soonerEnvironment })
  await rename(draft, file)
  return file
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
