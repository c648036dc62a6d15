/** The first bytes of a film, by which the service recognises it. */
export const filmHead = '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'

/** A body that is not JSON, with its content type. */
export class FileForm {
  readonly text: string
  readonly type: string
  /** How long each piece of it takes to arrive. */
  readonly pieceMs: number

  constructor(text: string, boundary: string, pieceMs = 0) {
    this.text = text
    this.pieceMs = pieceMs
    this.type = `multipart/form-data; boundary=${boundary}`
  }
}

const boundary = 'simulated-boundary'

/** The same form with one of its parts twice. */
export function withTwice({ text }: FileForm, part: number): FileForm {
  const parts = text.split(`--${boundary}`)
  const twice = parts.toSpliced(part, 0, ...parts.slice(part, part + 1))
  return new FileForm(twice.join(`--${boundary}`), boundary)
}

/** The same form with another name of its file, as clients write one beside a plain one. */
export function withFileName({ text }: FileForm, name: string): FileForm {
  const plain = 'filename="film.mp4"'
  return new FileForm(text.replace(plain, `${plain}; filename*=${name}`), boundary)
}

/** A form with fields and a file, as a browser writes it. `head`: how the file begins. `pieceMs`: how slowly it is sent. */
export function formOf(
  fields: Record<string, string>,
  film: string,
  head = filmHead,
  pieceMs = 0,
): FileForm {
  const parts = Object.entries(fields).map(
    ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `Content-Disposition: form-data; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n`
  const all = [...parts, `${file}${head}${film.padEnd(90, '.')}\r\n`]
  const text = all.map((part) => `--${boundary}\r\n${part}`).join('')
  return new FileForm(`${text}--${boundary}--\r\n`, boundary, pieceMs)
}
