/** What a file is stored as, by the end of its name. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['avi', 'video/x-msvideo'],
  ['mp3', 'audio/mpeg'],
  ['m4a', 'audio/mp4'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['ogg', 'audio/ogg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['m3u8', 'application/vnd.apple.mpegurl'],
  ['json', 'application/json'],
  ['txt', 'text/plain; charset=utf-8'],
  ['srt', 'application/x-subrip; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
])

export function contentTypeOf(extension: string): string {
  const known = contentTypes.get(extension)
  if (known === undefined) throw new Error(`No content type is known of ${extension}`)
  return known
}
