import { invalidRequest, type AppError } from '../contract/answers/errors.ts'
import { isUtf8 } from './form-boundary.ts'
import { parametersOf, parseHeaderValue, type HeaderValue } from './header-parameters.ts'
import { limits } from '../contract/limits.ts'
import { shorten } from '../service/videos/name-video.ts'

/** The headers of one part. */
export type PartHead = {
  name: string
  fileName: string | undefined
  /** Whether the part was sent as a file, even if its file name is of no use. */
  isFile: boolean
}

/** Reads the lines between a boundary and the empty line. */
export function readPartHead(block: Uint8Array): PartHead {
  const headers = readLines(
    new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(block),
  )
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '')
  if (disposition?.value !== 'form-data') {
    throw malformed(
      'Must give every part a Content-Disposition: form-data with the name of its field',
    )
  }
  const [name, ...otherNames] = parametersOf(disposition, 'name')
  if (name === undefined || otherNames.length > 0) {
    throw malformed('Must give every part one name in its Content-Disposition')
  }
  const shown = name.slice(0, 100)
  refuseEncoding(shown, headers.get('content-transfer-encoding'))
  refuseCharset(shown, headers.get('content-type'))
  const isFile = ['filename', 'filename*'].some(
    (parameter) => parametersOf(disposition, parameter).length > 0,
  )
  return { name, fileName: readFileName(disposition), isFile }
}

function readLines(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  // A line that begins with a blank continues the one before it.
  for (const line of text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/s.exec(line) ?? []
    if (line === '') continue
    if (name === undefined || value === undefined) {
      throw malformed('Must write every header of a part as Name: value')
    }
    if (headers.has(name.toLowerCase()))
      throw malformed('Must not give a part the same header twice')
    headers.set(name.toLowerCase(), value.trim())
  }
  return headers
}

/** RFC 7578, 4.7: forms do not use this header, so nothing here decodes it; these three encodings change no byte. */
function refuseEncoding(field: string, encoding = 'binary'): void {
  if (/^(binary|8bit|7bit)$/i.test(encoding)) return
  const message = `Must be sent as it is, not with the Content-Transfer-Encoding ${encoding.slice(0, 60)}`
  throw invalidRequest([{ field, message }])
}

function refuseCharset(field: string, contentType = ''): void {
  const type = parseHeaderValue(contentType)
  const other = type && parametersOf(type, 'charset').find((charset) => !isUtf8(charset))
  if (other === undefined) return
  throw invalidRequest([{ field, message: `Must be in UTF-8, not ${other.slice(0, 60)}` }])
}

/** A fault of the form as a whole, or of a part too broken to have a name. */
export function malformed(message: string): AppError {
  return invalidRequest([{ field: 'body', message }])
}

/** The client's name for the file, without the folders that some put before it; undefined if nothing usable is left. */
function readFileName(disposition: HeaderValue): string | undefined {
  const [plain] = parametersOf(disposition, 'filename')
  const [extended] = parametersOf(disposition, 'filename*')
  const name =
    (extended === undefined ? undefined : decodeExtended(extended)) ?? decodeQuoted(plain)
  const last = name
    ?.toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .split(/[/\\]/)
    .at(-1)
  if (last === undefined || /^\.{0,2}$/.test(last)) return undefined
  return shorten(last, limits.videoNameLength)
}

/** RFC 5987: charset'language'percent-encoded; undefined if the text is something else. */
function decodeExtended(text: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.+)$/.exec(text) ?? []
  try {
    if (/^utf-8$/i.test(charset)) return decodeURIComponent(encoded)
    if (/^iso-8859-1$/i.test(charset)) {
      return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(parseInt(hex, 16)),
      )
    }
  } catch {
    // The percent signs are not valid codes; use the plain name instead.
  }
  return undefined
}

/** Browsers write these three characters as percent codes, and leave every other percent sign alone. */
function decodeQuoted(text: string | undefined): string | undefined {
  return text?.replaceAll(/%(22|0D|0A)/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
}
