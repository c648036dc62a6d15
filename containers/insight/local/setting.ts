import type { Look } from '../frames/look-of-picture.ts'
import type { ConfirmedObject } from '../objects/confirm-objects.ts'
import { showsBlueSky } from '../scenes/blue-sky.ts'
import { isOutdoors, outdoorness } from '../scenes/outdoors.ts'
import { sceneKind } from './scene-kind.ts'

/** The setting, as far as it is certain; the room is only likely. */
export type Setting = {
  readonly room: string | undefined
  readonly isOutdoors: boolean
  readonly isByDay: boolean
  /** Whether it is among grass or leaves. */
  readonly isGreen: boolean
  readonly hasBlueSky: boolean
}

/** Lamps do not make a whole picture this bright. */
const dayLight = 95
/** Share of the picture. Yellow counts half, because grass in the sun is partly yellow. */
const greenShare = 0.35

export function settingOf(
  looks: readonly Look[],
  traits: readonly Float32Array[],
  objects: readonly ConfirmedObject[],
): Setting {
  const isOutside = isOutdoors(traits.map(outdoorness))
  const mean = (of: (look: Look) => number): number =>
    looks.reduce((sum, look) => sum + of(look), 0) / Math.max(1, looks.length)
  const isByDay = isOutside && mean(({ light }) => light) >= dayLight
  return {
    room: sceneKind(objects),
    isOutdoors: isOutside,
    isByDay,
    hasBlueSky: isByDay && mean((look) => (showsBlueSky(look) ? 1 : 0)) > 0.5,
    isGreen: isOutside && mean(({ hues }) => hues.green + hues.yellow / 2) >= greenShare,
  }
}
