/** The checksum of each picture that ffmpeg wrote as `framemd5` or `framecrc`. */
export function hashesIn(text: string): string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '')
}
