import { type PictureLook, gridSide } from '../frames/look-of-picture.ts'
import type { ConfirmedObject } from '../objects/confirm-objects.ts'
import type { Label } from '../objects/labels.ts'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { meanOf } from '../../numbers/mean.ts'

/** The setting, as far as it is certain; the room is only likely. */
export type SceneSetting = {
  readonly room: string | undefined
  readonly isOutdoors: boolean
  readonly isByDay: boolean
  /** Whether the scene is among grass or leaves. */
  readonly isGreen: boolean
  readonly hasBlueSky: boolean
}

/** Indoors, lamps do not make a whole picture this bright. */
const dayLight = 95
/** Share of the picture. Yellow counts half, because grass in the sun is partly yellow. */
const greenShare = 0.35

export function sceneSettingOf(
  looks: readonly PictureLook[],
  traits: readonly Float32Array[],
  objects: readonly ConfirmedObject[],
): SceneSetting {
  const isOutside = isOutdoors(traits.map(outdoorness))
  const mean = (of: (look: PictureLook) => number): number => meanOf(looks.map(of))
  const isByDay = isOutside && mean(({ light }) => light) >= dayLight
  return {
    room: sceneKind(objects),
    isOutdoors: isOutside,
    isByDay,
    hasBlueSky: isByDay && mean((look) => (showsBlueSky(look) ? 1 : 0)) > 0.5,
    isGreen: isOutside && mean(({ hues }) => hues.green + hues.yellow / 2) >= greenShare,
  }
}

type Venue = { readonly name: string; readonly signs: readonly Label[]; readonly needed: number }

/** Rooms by their furniture. One piece may stand anywhere; two pieces of one kind of room make that room likely. */
const scenes: readonly Venue[] = [
  { name: 'kitchen', signs: ['oven', 'refrigerator', 'microwave', 'sink', 'toaster'], needed: 2 },
  { name: 'bathroom', signs: ['toilet', 'sink', 'toothbrush', 'hair dryer'], needed: 2 },
  { name: 'living room', signs: ['couch', 'tv', 'remote control'], needed: 2 },
  { name: 'office', signs: ['laptop', 'keyboard', 'mouse', 'tv'], needed: 3 },
  {
    name: 'street',
    signs: ['car', 'bus', 'truck', 'motorcycle', 'traffic light', 'stop sign', 'parking meter'],
    needed: 3,
  },
]

/** The place of the scene, if the objects in it show one. */
export function sceneKind(objects: readonly ConfirmedObject[]): string | undefined {
  const seen = new Set<string>(objects.map(({ label }) => label))
  const counts = scenes.map(({ name, signs, needed }) => ({
    name,
    surplus: signs.filter((sign) => seen.has(sign)).length - needed,
  }))
  const fitting = counts.filter(({ surplus }) => surplus >= 0)
  return fitting.sort((a, b) => b.surplus - a.surplus)[0]?.name
}

/**
 * The upper part must be nearly all blue and the lower part hardly at all; otherwise the blue may be water or a wall.
 */
const shares = { above: 0.8, below: 0.25 }
const third = gridSide / 3

/** Only for a picture that was taken outdoors by day. */
function showsBlueSky(look: PictureLook): boolean {
  return (
    blueShare(look, { from: 0, to: third }) >= shares.above &&
    blueShare(look, { from: gridSide - third, to: gridSide }) <= shares.below
  )
}

function blueShare({ signature }: PictureLook, { from, to }: { from: number; to: number }): number {
  let blue = 0
  for (let cell = from * gridSide; cell < to * gridSide; cell++) {
    const [red = 0, green = 0, blueness = 0] = signature.subarray(cell * 3, cell * 3 + 3)
    if (isSkyBlue(red, green, blueness)) blue++
  }
  return blue / ((to - from) * gridSide)
}

/** Excludes turquoise and violet, and clouds in the shade, which are slightly blue too. */
function isSkyBlue(red: number, green: number, blue: number): boolean {
  return blue >= 90 && blue - red >= 40 && blue >= green && green >= red
}

/** How much each trait suggests an outdoor picture; decision 010 says which pictures it was learnt from. */
export const learnt = z
  .object({ bias: z.number(), weights: z.array(z.number()).length(480) })
  .parse(JSON.parse(readFileSync(new URL('./outdoors.json', import.meta.url), 'utf8')))

/** How much a picture looks like one taken outdoors: more likely than not above 0, and certain from about 2 on. */
function outdoorness(traits: Float32Array): number {
  return learnt.weights.reduce((sum, weight, i) => sum + weight * (traits[i] ?? 0), learnt.bias)
}

/**
 * Of the photographs outside the training set, no indoor one scored more than 0.8, and half of the outdoor ones did.
 */
const sureMean = 2
const likelyEach = 1
const likelyShare = 0.75

/** Judges all pictures of a video together. */
export function isOutdoors(pictures: readonly number[]): boolean {
  if (pictures.length === 0) return false
  const mean = meanOf(pictures)
  const likely = pictures.filter((each) => each >= likelyEach).length
  return mean >= sureMean && likely >= likelyShare * pictures.length
}
