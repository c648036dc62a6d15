import { animals, vehicles, type ConfirmedObject } from '../objects/confirm-objects.ts'

const maxTags = 20

export type TagSources = {
  readonly objects: readonly ConfirmedObject[]
  readonly scene: string | undefined
  readonly keywords: readonly string[]
}

/** What is seen, what kinds of things these are, where it plays, what is talked about; each once. */
export function chooseTags({ objects, scene, keywords }: TagSources): string[] {
  const seen = objects.map(({ label }) => label)
  const kinds = [
    ...(objects.some(({ label, count }) => label === 'person' && count > 1) ? ['people'] : []),
    ...(seen.some((label) => animals.has(label)) ? ['animal'] : []),
    ...(seen.some((label) => vehicles.has(label)) ? ['vehicle'] : []),
  ]
  const tags = new Map<string, string>()
  for (const tag of [...seen, ...kinds, ...(scene === undefined ? [] : [scene]), ...keywords]) {
    if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()].slice(0, maxTags)
}
