import type { Captions } from '../../../contract/options/captions/captions.ts'
import type { Choices } from './build-request.ts'

/** The look of the captions in a request, without values that the API would refuse. Undefined if none are drawn on the picture. */
export function captionsIn(full: Choices): Captions | undefined {
  const given = full['captions']
  if (typeof given !== 'object' || given === null) return undefined
  const captions = given as Choices
  const { embed, burn = embed !== true, position, size, maxLines } = captions
  if (burn !== true) return undefined
  const colors = ['color', 'highlight', 'background'].flatMap((name) => {
    const value = captions[name]
    return typeof value === 'string' && /^#([\da-f]{2}){3,4}$/i.test(value) ? [[name, value]] : []
  })
  const y = (position as { y?: unknown } | null | undefined)?.y
  const places = ['bottom', 'middle', 'top'] as const
  return {
    style: oneOf(['plain', 'box', 'karaoke'], captions['style']),
    position: isPercent(y) ? { y } : oneOf(places, position),
    size: isPercent(size) || (typeof size === 'number' && size > 0) ? size : undefined,
    maxLines: typeof maxLines === 'number' && maxLines >= 1 ? Math.floor(maxLines) : undefined,
    font: typeof captions['font'] === 'string' ? captions['font'] : undefined,
    uppercase: captions['uppercase'] === true,
    ...(Object.fromEntries(colors) as Pick<Captions, 'color' | 'highlight' | 'background'>),
  }
}

function oneOf<Value extends string>(values: readonly Value[], given: unknown): Value | undefined {
  return values.find((value) => value === given)
}

const isPercent = (length: unknown): length is string =>
  typeof length === 'string' && /^\d{1,3}(\.\d+)?%$/.test(length)
