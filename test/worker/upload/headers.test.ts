import { describe, expect, it } from 'vitest'
import { AppError } from '../../../worker/contract/answers/errors.ts'
import { readFormBoundary } from '../../../worker/upload/form-boundary.ts'
import { readPartHead } from '../../../worker/upload/part-headers.ts'

function boundaryOf(contentType: string | null): unknown {
  try {
    return readFormBoundary(contentType)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.details
  }
}

const form = 'multipart/form-data'
const refused = (message: string) => [{ field: 'Content-Type', message }]

describe('readFormBoundary', () => {
  it.each([
    [`${form}; boundary=abc`, 'abc'],
    [`Multipart/Form-Data;boundary="a b:c?"`, 'a b:c?'],
    [`${form}; charset=UTF-8; BOUNDARY=x`, 'x'],
    [`${form}; boundary=${'z'.repeat(70)}`, 'z'.repeat(70)],
    [`${form}; boundary="'()+_,-./:=?"`, "'()+_,-./:=?"],
    [`${form}; boundary=----WebKitFormBoundary7MA4YWxk`, '----WebKitFormBoundary7MA4YWxk'],
  ])('reads %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary)
  })

  const illegal = refused('Must name a boundary of 1 to 70 characters that RFC 2046 allows')
  const missing = refused('Must name a boundary; a client that builds the form sets it by itself')
  it.each([
    [null, refused('Must be multipart/form-data; with curl: -F file=@talk.mp4')],
    [
      'text/plain',
      refused('Must be multipart/form-data, not text/plain; with curl: -F file=@talk.mp4'),
    ],
    [
      'multipart/mixed; boundary=a',
      refused('Must be multipart/form-data, not multipart/mixed; with curl: -F file=@talk.mp4'),
    ],
    [form, missing],
    [`${form}; boundary=`, missing],
    [`${form}; boundary=""`, missing],
    [`${form}; boundary=${'z'.repeat(71)}`, illegal],
    [`${form}; boundary="ends in a space "`, illegal],
    [`${form}; boundary="semi;colon"`, illegal],
    [`${form}; boundary=gr\u00fc\u00df`, illegal],
    [`${form}; boundary=a; boundary=b`, refused('Must name one boundary, not several')],
    [`${form}; boundary=a; charset=utf-16`, refused('Must be in UTF-8, not utf-16')],
    [`${form}; boundary="open`, refused('Is not written as a media type with parameters')],
  ])('refuses %s', (type, details) => {
    expect(boundaryOf(type)).toEqual(details)
  })
})

function fileNameOf(parameters: string): string | undefined {
  const line = `Content-Disposition: form-data; name="file"; ${parameters}`
  return readPartHead(new TextEncoder().encode(`\r\n${line}`)).fileName
}

describe('readPartHead', () => {
  it.each([
    ['filename="a.mp4"', 'a.mp4'],
    ['filename=a.mp4', 'a.mp4'],
    ['filename="a;b=\'c\'.mp4"', "a;b='c'.mp4"],
    ['filename="\\"quoted\\" \\\\.mp4"', '.mp4'],
    ['filename="100% real.mp4"', '100% real.mp4'],
    ["filename*=UTF-8''na%C3%AFve%20%F0%9F%8E%AC.mp4", 'naïve 🎬.mp4'],
    [`filename="plain.mp4"; filename*=utf-8'en'%c3%bc.mp4`, 'ü.mp4'],
    ["filename*=ISO-8859-1''%fcber.mp4", 'über.mp4'],
    [`filename="plain.mp4"; filename*=UTF-8''%zz`, 'plain.mp4'],
    [`filename="plain.mp4"; filename*=KOI8-R''%c1`, 'plain.mp4'],
    [`filename="plain.mp4"; filename*=nonsense`, 'plain.mp4'],
    ["filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", 'passwd'],
    ['filename=""', undefined],
    ['filename="../"', undefined],
  ])('takes %s for the name %s', (parameters, name) => {
    expect(fileNameOf(parameters)).toBe(name)
  })

  it('reads a name that is not UTF-8 as well as it can, and never refuses a file for it', () => {
    const line = 'Content-Disposition: form-data; name="file"; filename="caf\xe9.mp4"'
    const block = Uint8Array.from(line, (letter) => letter.charCodeAt(0))
    expect(readPartHead(block)).toEqual({ name: 'file', fileName: 'caf\uFFFD.mp4', isFile: true })
  })

  it('is as fast for a row of backslashes as for anything else', () => {
    const row = '\\'.repeat(16_000)
    expect(() => fileNameOf(`filename="${row}`)).toThrow(AppError)
  })
})
