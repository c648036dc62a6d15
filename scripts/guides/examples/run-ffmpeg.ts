import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function ffmpeg(...args: readonly string[]): Promise<void> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args])
}

export async function secondsOf(file: string): Promise<number> {
  const asked = ['-show_entries', 'format=duration', '-of', 'csv=p=0']
  return Number((await run('ffprobe', ['-v', 'error', ...asked, file])).stdout)
}
