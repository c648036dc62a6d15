import { feature, iso1A2Code } from '@rapideditor/country-coder'
import { z } from 'zod'
import type { Coordinates } from '../../timeline/coordinates.ts'
import type { City } from './cities.ts'

const farthestKilometres = 50
/** Degrees of latitude, about 50 km. */
const farthestDegrees = 0.5

/** Assumes that all cities are equally dense squares, and none smaller than a village. */
const peoplePerSquareKilometre = 9_424
const villageKilometres = 1.5

/** Returns "City, Country"; only the country far from any city; undefined at sea. */
export function placeOfCoordinates(
  { latitude, longitude }: Coordinates,
  cities: readonly City[],
): string | undefined {
  const country = iso1A2Code([longitude, latitude])
  const name = countryName([longitude, latitude])
  if (country === null || name === undefined) return undefined
  let best: { city: City; score: number } | undefined
  for (const city of cities) {
    if (city.country !== country) continue
    if (Math.abs(city.latitude - latitude) > farthestDegrees) continue
    const kilometres = distance({ latitude, longitude }, city)
    const size = Math.sqrt(city.population / peoplePerSquareKilometre)
    const score = kilometres / Math.max(villageKilometres, size)
    if (kilometres <= farthestKilometres && score < (best?.score ?? Infinity)) {
      best = { city, score }
    }
  }
  return best ? `${best.city.name}, ${name}` : name
}

const named = z.object({ properties: z.object({ nameEn: z.string() }) })

/** The English name of a country, looked up by place, code or name. Overseas regions count as part of their country. */
export function countryName(query: [number, number] | string): string | undefined {
  const found: unknown = feature(query, { level: 'country' }) ?? feature(query)
  return named.safeParse(found).data?.properties.nameEn
}

const radian = Math.PI / 180
const earthDiameterKilometres = 12_742

function distance(a: Coordinates, b: Coordinates): number {
  const across = Math.sin(((b.latitude - a.latitude) * radian) / 2) ** 2
  const along = Math.sin(((b.longitude - a.longitude) * radian) / 2) ** 2
  const share = across + Math.cos(a.latitude * radian) * Math.cos(b.latitude * radian) * along
  return earthDiameterKilometres * Math.asin(Math.sqrt(Math.min(1, share)))
}
