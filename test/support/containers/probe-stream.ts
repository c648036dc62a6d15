import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What ffprobe says of the first stream of a kind. */
export async function probeStream(
  file: string,
  kind: 'v' | 'a' | 's',
): Promise<Record<string, string | number>> {
  const args = ['-v', 'error', '-select_streams', `${kind}:0`, '-count_packets', '-show_streams']
  const { stdout } = await promisify(execFile)('ffprobe', [...args, '-of', 'json', file])
  const { streams } = JSON.parse(stdout) as { streams: Record<string, string | number>[] }
  if (!streams[0]) throw new Error(`${file} has no such stream`)
  return streams[0]
}
