import { limits } from '../contract/limits.ts'
import { shorten } from '../service/videos/name-video.ts'
import { parametersOf, type HeaderValue } from './header-parameters.ts'

/** The client's name for the file, without the folders that some put before it; undefined if nothing usable is left. */
export function readFileName(disposition: HeaderValue): string | undefined {
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
