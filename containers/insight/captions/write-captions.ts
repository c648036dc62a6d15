import type { Caption } from './make-captions.ts'

/** `00:01:02,345` */
function clock(ms: number, mark: ',' | '.'): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1_000)
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${two(h)}:${two(m)}:${two(s)}${mark}${String(ms % 1_000).padStart(3, '0')}`
}

function timing({ startMs, endMs }: Caption, mark: ',' | '.'): string {
  return `${clock(startMs, mark)} --> ${clock(endMs, mark)}`
}

/** SRT cannot escape text: `-->` in a caption would look like a time, so another arrow replaces it. */
export function writeSrt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption, i) => {
    const lines = caption.lines.map((line) => line.replaceAll('-->', '→'))
    return [String(i + 1), timing(caption, ','), ...lines, ''].join('\n')
  })
  // Never write an empty file: storage rejects one.
  return blocks.length > 0 ? blocks.join('\n') : '\n'
}

export function writeVtt(captions: readonly Caption[]): string {
  const blocks = captions.map((caption) =>
    [timing(caption, '.'), ...caption.lines.map(escapeVtt), ''].join('\n'),
  )
  return ['WEBVTT\n', ...blocks].join('\n')
}

function escapeVtt(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
