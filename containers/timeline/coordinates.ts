/** Degrees, north and east positive. */
export type Coordinates = { readonly latitude: number; readonly longitude: number }

/** The tags in which cameras store their location: Apple, Android and others. */
export const locationTags = ['com.apple.quicktime.location.iso6709', 'location', 'location-eng']

/** Latitude and longitude in degrees, in degrees and minutes, or with seconds too; the height may follow. */
const iso6709 =
  /^([+-])(\d{2}|\d{4}|\d{6})(\.\d+)?([+-])(\d{3}|\d{5}|\d{7})(\.\d+)?(?:[+-].*|\/.*)?$/

/**
 * Reads the coordinates in the tags of a file. Undefined if they are missing, invalid, or 0° 0°, which a camera without
 * reception writes.
 */
export function coordinatesOf(
  tags: Readonly<Record<string, string>> | undefined,
): Coordinates | undefined {
  const named = Object.entries(tags ?? {}).filter(([name]) =>
    locationTags.includes(name.toLowerCase()),
  )
  return named.map(([, text]) => parseIso6709(text)).find((found) => found !== undefined)
}

function parseIso6709(text: string): Coordinates | undefined {
  const match = iso6709.exec(text.trim().slice(0, 100))
  if (!match) return undefined
  const [, northSign, north = '', northRest = '', eastSign, east = '', eastRest = ''] = match
  const latitude = degreesOf(north, northRest, 2) * (northSign === '-' ? -1 : 1)
  const longitude = degreesOf(east, eastRest, 3) * (eastSign === '-' ? -1 : 1)
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  const isNowhere = latitude === 0 && longitude === 0
  return isPlace && !isNowhere ? { latitude, longitude } : undefined
}

function degreesOf(digits: string, rest: string, degreeDigits: number): number {
  const parts = [digits.slice(0, degreeDigits)]
  for (let at = degreeDigits; at < digits.length; at += 2) parts.push(digits.slice(at, at + 2))
  const last = parts.length - 1
  return parts.reduce(
    (sum, part, i) => sum + Number(i === last ? `${part}${rest}` : part) / 60 ** i,
    0,
  )
}
