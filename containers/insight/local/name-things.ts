import type { ConfirmedLabel } from '../objects/confirm-objects.ts'

const irregular: Partial<Record<ConfirmedLabel, string>> = {
  person: 'people',
  sheep: 'sheep',
  bus: 'buses',
  bench: 'benches',
  couch: 'couches',
  toothbrush: 'toothbrushes',
  sandwich: 'sandwiches',
  'wine glass': 'wine glasses',
  knife: 'knives',
  skis: 'skis',
  scissors: 'scissors',
}

/** From this number on they are called a group. */
const group = 6

/** The model overlooks some things if there are many, so the summary does not tell their number. */
export function nounOf(label: ConfirmedLabel, count: number): string {
  const plural = irregular[label] ?? `${label}s`
  if (label === 'person' && count >= group) return 'many people'
  if (count > 1) return plural
  return plural === label && label !== 'sheep' ? label : `${articleOf(label)} ${label}`
}

export function articleOf(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}

export function listOf(nouns: readonly string[]): string {
  const last = nouns.at(-1) ?? ''
  return nouns.length < 2 ? last : `${nouns.slice(0, -1).join(', ')} and ${last}`
}
