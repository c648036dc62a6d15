import { describe, expect, it } from 'vitest'
import {
  isUploadOrigin,
  parseUploadOrigins,
} from '../../../worker/contract/addresses/upload-address.ts'

describe('parseUploadOrigins', () => {
  it('reads a list; an empty text means none', () => {
    const origins = parseUploadOrigins('https://app.example.com/, http://localhost:5173')
    expect([...origins]).toEqual(['https://app.example.com', 'http://localhost:5173'])
    expect(isUploadOrigin(parseUploadOrigins(''), 'https://app.example.com')).toBe(false)
    expect(isUploadOrigin(parseUploadOrigins('*'), 'https://anybody.example')).toBe(true)
  })

  it.each([
    'app.example.com',
    'https://app.example.com/path',
    'https://app.example.com:443',
    'https://*.example.com',
    'ftp://app.example.com',
    "https://a'b.example",
    'null',
  ])('refuses %s by name', (text) => {
    expect(() => parseUploadOrigins(text)).toThrow(`"${text}" is not an origin`)
  })
})
