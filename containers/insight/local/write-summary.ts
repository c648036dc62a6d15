import type { ConfirmedLabel, ConfirmedObject } from '../objects/confirm-objects.ts'
import type { PictureDescription } from './describe-picture.ts'

export type SummaryFacts = {
  readonly durationSeconds: number
  readonly width: number
  readonly height: number
  readonly hasSound: boolean
  readonly picture: PictureDescription
  readonly objects: readonly ConfirmedObject[]
  readonly scene: string | undefined
  /** Of what is said. */
  readonly sentences: readonly string[]
}

/** Plain sentences, each of them true by itself. */
export function writeSummary(facts: SummaryFacts): string {
  return [opening(facts), seeing(facts), looking(facts), hearing(facts)]
    .filter((sentence) => sentence !== undefined)
    .join(' ')
}

function opening({ durationSeconds, width, height, hasSound }: SummaryFacts): string {
  const shape = width === height ? 'square' : width < height ? 'portrait' : 'landscape'
  const sound = hasSound ? '' : ', without sound'
  const length = lengthOf(durationSeconds)
  return `${/^(8|11|18)/.test(length) ? 'An' : 'A'} ${length} ${shape} video${sound}.`
}

/** "12-second", "2-minute", "1-hour": as people say it. */
function lengthOf(seconds: number): string {
  if (seconds < 1) return 'very short'
  if (seconds < 90) return `${Math.round(seconds)}-second`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes}-minute`
  return `${Math.round(minutes / 60)}-hour`
}

const maxNamed = 6

function seeing({ objects, scene, picture }: SummaryFacts): string | undefined {
  if (picture.isBlack) return 'The picture is black, or nearly so, throughout.'
  if (picture.isBlank) return 'The picture shows a plain area throughout.'
  const named = objects.slice(0, maxNamed).map(({ label, count }) => nounOf(label, count))
  if (named.length === 0) return undefined
  const place = scene === undefined ? '' : `, probably in ${articleOf(scene)} ${scene}`
  return `It shows ${listOf(named)}${place}.`
}

function looking({ picture }: SummaryFacts): string | undefined {
  if (picture.isBlank) return undefined
  const { light, isGray, hue, change } = picture
  const color = isGray ? ', without colour,' : hue ? `, mostly ${hue},` : ''
  const words = {
    hardly: 'hardly changes',
    little: 'changes little',
    much: 'changes a lot',
    'at cuts': 'changes little between cuts',
  }
  const changes = change === undefined ? '' : ` and ${words[change]}`
  return `The picture is ${light}${color}${changes}.`.replace(',.', '.')
}

function hearing({ sentences }: SummaryFacts): string | undefined {
  return sentences.length === 0 ? undefined : `From what is said: “${sentences.join(' … ')}”`
}

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

/** The model overlooks some of many: their number is not told. */
function nounOf(label: ConfirmedLabel, count: number): string {
  const plural = irregular[label] ?? `${label}s`
  if (count > 1) return plural
  return plural === label && label !== 'sheep' ? label : `${articleOf(label)} ${label}`
}

function articleOf(noun: string): string {
  return /^[aeiou]/.test(noun) ? 'an' : 'a'
}

function listOf(nouns: readonly string[]): string {
  const last = nouns.at(-1) ?? ''
  return nouns.length < 2 ? last : `${nouns.slice(0, -1).join(', ')} and ${last}`
}
