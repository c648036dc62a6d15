const maxChars = 65_536

/** Cuts chunks of text into lines. An unfinished line waits for its end; at most `maxChars` of it are kept. */
export function linesOf(onLine: (line: string) => void): (chunk: string) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = (lines.pop() ?? '').slice(-maxChars)
    lines.forEach(onLine)
  }
}
