import { invalidRequest, type AppError } from '../contract/answers/errors.ts'
import { parametersOf, parseHeaderValue, type HeaderValue } from './header-parameters.ts'

/** RFC 2046, 5.1.1: 1 to 70 of these characters, and no space at the end. */
const legalBoundary = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/

/** The boundary in a Content-Type; a type without one is refused. */
export function readFormBoundary(contentType: string | null): string {
  const [type = ''] = (contentType ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'multipart/form-data') {
    const found = type.trim() === '' ? '' : `, not ${type.trim().slice(0, 60)}`
    const advice = /[/+]json$/i.test(type.trim())
      ? '; send JSON with a URL to POST /v1/videos'
      : '; with curl: -F file=@talk.mp4'
    throw fault(`Must be multipart/form-data${found}${advice}`)
  }
  const parsed = parseHeaderValue(contentType ?? '')
  if (!parsed) throw fault('Is not written as a media type with parameters')
  refuseOtherCharset(parsed)
  const [boundary, ...more] = parametersOf(parsed, 'boundary')
  if (boundary === undefined || boundary === '') {
    throw fault('Must name a boundary; a client that builds the form sets it by itself')
  }
  if (more.length > 0) throw fault('Must name one boundary, not several')
  if (!legalBoundary.test(boundary)) {
    throw fault('Must name a boundary of 1 to 70 characters that RFC 2046 allows')
  }
  return boundary
}

/** Whether a charset of this name can be read as UTF-8. */
export function isUtf8(charset: string): boolean {
  return /^(utf-?8|us-ascii|ascii)$/i.test(charset)
}

function refuseOtherCharset(type: HeaderValue): void {
  const other = parametersOf(type, 'charset').find((charset) => !isUtf8(charset))
  if (other !== undefined) throw fault(`Must be in UTF-8, not ${other.slice(0, 60)}`)
}

function fault(message: string): AppError {
  return invalidRequest([{ field: 'Content-Type', message }])
}
