import type { PictureDescription } from './describe-picture.ts'
import type { Setting } from './setting.ts'
import { animals, vehicles, type ConfirmedObject } from '../objects/confirm-objects.ts'

const maxTags = 20

type TagSources = {
  readonly objects: readonly ConfirmedObject[]
  readonly setting: Setting
  readonly picture: PictureDescription
  readonly keywords: readonly string[]
}

/** Tags for the objects, their kinds, the setting, the look of the picture and the topics of the speech, each once. */
export function chooseTags({ objects, setting, picture, keywords }: TagSources): string[] {
  const seen = objects.map(({ label }) => label)
  const kinds = [
    ...(objects.some(({ label, count }) => label === 'person' && count > 1) ? ['people'] : []),
    ...(seen.some((label) => animals.has(label)) ? ['animal'] : []),
    ...(seen.some((label) => vehicles.has(label)) ? ['vehicle'] : []),
  ]
  const { room, isOutdoors, isGreen, hasBlueSky } = setting
  const look = [
    // Outdoors, furniture does not make a room.
    ...(room !== undefined && (!isOutdoors || room === 'street') ? [room] : []),
    ...(isOutdoors ? ['outdoors'] : []),
    ...(hasBlueSky ? ['blue sky'] : []),
    ...(isGreen ? ['greenery'] : []),
    ...(picture.isGray && !picture.isBlank ? ['black and white'] : []),
  ]
  const tags = new Map<string, string>()
  for (const tag of [...seen, ...kinds, ...look, ...keywords]) {
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()].slice(0, maxTags)
}
