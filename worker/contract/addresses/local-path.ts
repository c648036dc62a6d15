/** Whether a text names a file of the sender's machine: `/home/ana/talk.mp4`, `C:\Videos\talk.mp4`, `talk.mp4`. */
export function isLocalPath(text: string): boolean {
  const beginsAsOne = /^(\/(?!\/)|\.{1,2}[/\\]|~[/\\]|[a-z]:[/\\]|\\\\|file:)/i
  const isName =
    /^[^/\\:?#]+\.(mp4|m4v|mov|avi|webm|mkv|png|jpe?g|gif|webp|mp3|m4a|wav|aac|srt|vtt)$/i
  return beginsAsOne.test(text) || isName.test(text)
}
