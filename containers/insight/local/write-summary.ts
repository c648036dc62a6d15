import type { ConfirmedLabel, ConfirmedObject } from '../objects/confirm-objects.ts'
import type { PictureDescription } from './describe-picture.ts'
import type { SceneSetting } from './scene-setting.ts'

export type SummaryFacts = {
  readonly durationSeconds: number
  readonly width: number
  readonly height: number
  /** Undefined if the sound may or may not be speech. */
  readonly sound: 'none' | 'speech' | 'no speech' | undefined
  readonly picture: PictureDescription
  readonly objects: readonly ConfirmedObject[]
  readonly setting: SceneSetting
  /** Sentences from the speech. */
  readonly sentences: readonly string[]
}

/** Writes what one would tell a colleague who has not seen the video; each part is true by itself. */
export function writeSummary(facts: SummaryFacts): string {
  const first = [opening(facts), showing(facts)].filter((part) => part !== undefined).join(': ')
  const sentences = [`${first}${listening(facts)}.`, looking(facts), quoting(facts)]
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}

const clipSeconds = 300

function opening({ durationSeconds, width, height, sound, picture }: SummaryFacts): string {
  const kind = durationSeconds < clipSeconds ? 'clip' : 'video'
  const words = [lengthOf(durationSeconds), shapeOf(width / height), kind]
  const named = words.filter((word) => word !== '').join(' ')
  const color = picture.isGray && !picture.isBlank ? ' in black and white' : ''
  const silence = sound === 'none' ? ' without sound' : ''
  return `${/^(8|11|18)/.test(named) ? 'An' : 'A'} ${named}${color}${silence}`
}

/** Avoids "landscape" and "portrait", which in a summary seem to mean scenery and faces. */
function shapeOf(ratio: number): string {
  if (ratio >= 1.2) return 'wide'
  if (ratio <= 1 / 1.2) return 'upright'
  return ratio === 1 ? 'square' : ''
}

/** "12-second", "2-minute", "1-hour", as people say it. */
function lengthOf(seconds: number): string {
  if (seconds < 1) return 'very short'
  if (seconds < 90) return `${Math.round(seconds)}-second`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes}-minute`
  return `${Math.round(minutes / 60)}-hour`
}

const maxNamed = 6

function showing({ objects, setting, picture }: SummaryFacts): string | undefined {
  if (picture.isBlack) return 'the picture is black, or nearly so, throughout'
  if (picture.isBlank) return 'the picture is a plain area throughout'
  const named = objects.slice(0, maxNamed).map(({ label, count }) => nounOf(label, count))
  const where = placeOf(setting)
  if (named.length > 0) return [listOf(named), ...where].join(' ')
  return where.length > 0 ? `filmed ${where.join(' ')}` : undefined
}

function placeOf({ room, isOutdoors, isByDay, isGreen, hasBlueSky }: SceneSetting): string[] {
  if (!isOutdoors) return room === undefined ? [] : [`probably in ${articleOf(room)} ${room}`]
  const time = hasBlueSky ? ['under a blue sky'] : isByDay ? ['by day'] : []
  return [
    ...(room === 'street' ? ['on a street'] : []),
    'outdoors',
    ...time,
    ...(isGreen ? ['in the green'] : []),
  ]
}

function listening({ sound, sentences }: SummaryFacts): string {
  if (sound === 'no speech') return '; no speech is heard'
  return sound === 'speech' && sentences.length === 0 ? '; somebody speaks' : ''
}

const changes = {
  hardly: 'The picture stands still.',
  little: undefined,
  'at cuts': 'It is cut from several shots.',
  much: 'The picture changes a lot.',
} as const

/** Mentions light and colour only if nothing else is known. */
function looking({ picture, objects, setting }: SummaryFacts): string | undefined {
  if (picture.isBlank) return undefined
  const change = picture.change && changes[picture.change]
  if (objects.length > 0 || setting.isOutdoors) return change
  const color = picture.hue ? ` and mostly ${picture.hue}` : ''
  const look = `What it shows cannot be named for certain; the picture is ${picture.light}${color}.`
  return change === undefined ? look : `${look} ${change}`
}

function quoting({ sentences }: SummaryFacts): string | undefined {
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

/** This many people or more are called a group. */
const group = 6

/** The model overlooks some of many objects, so the summary does not give their number. */
function nounOf(label: ConfirmedLabel, count: number): string {
  const plural = irregular[label] ?? `${label}s`
  if (label === 'person' && count >= group) return 'many people'
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
