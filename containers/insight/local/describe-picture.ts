import { blankContrast, findShots } from '../frames/choose-frames.ts'
import {
  hueNames,
  lookDistance,
  type HueName,
  type PictureLook,
} from '../frames/look-of-picture.ts'
import { medianOf } from '../../numbers/mean.ts'

/** A description of the pictures of a whole video by their light, colour and change. */
export type PictureDescription = {
  readonly isBlank: boolean
  readonly isBlack: boolean
  readonly light: 'dark' | 'moderately bright' | 'bright'
  readonly isGray: boolean
  /** The hue of at least half of the picture. */
  readonly hue: HueName | undefined
  /** How much pictures change from one to the next; undefined if there is only one. */
  readonly change: 'hardly' | 'little' | 'at cuts' | 'much' | undefined
}

const blackLight = 12
const darkLight = 60
const brightLight = 175
const grayColorfulness = 6
/** Even a red dot makes a picture coloured. */
const grayShare = 0.002
const wholeShare = 0.5
const hardlyDistance = 0.6
const muchDistance = 8

export function describePicture(looks: readonly PictureLook[]): PictureDescription {
  const lights = looks.map(({ light }) => light)
  const light = medianOf(lights)
  const isBlank = looks.every(({ contrast }) => contrast <= blankContrast)
  return {
    isBlank,
    isBlack: isBlank && Math.max(0, ...lights) <= blackLight,
    light: light <= darkLight ? 'dark' : light >= brightLight ? 'bright' : 'moderately bright',
    isGray: looks.every(isGray),
    hue: hueNames.find((name) => medianOf(looks.map(({ hues }) => hues[name])) >= wholeShare),
    change: changeOf(looks),
  }
}

function isGray({ colorfulness, hues }: PictureLook): boolean {
  const colored = hueNames.reduce((sum, name) => sum + hues[name], 0)
  return colorfulness < grayColorfulness && colored < grayShare
}

/**
 * Measures the change between successive pictures. Cuts are few and do not move the median, so they are detected
 * separately.
 */
function changeOf(looks: readonly PictureLook[]): PictureDescription['change'] {
  const changes = looks.slice(1).map((look, i) => lookDistance(looks[i] ?? look, look))
  if (changes.length === 0) return undefined
  if (Math.max(...changes) <= hardlyDistance) return 'hardly'
  if (medianOf(changes) >= muchDistance) return 'much'
  return findShots(looks).length > 1 ? 'at cuts' : 'little'
}
