import { isBuiltInFont } from '../options/captions/fonts.ts'
import { groundAsked, isColor } from '../options/sound/sound-alone.ts'
import type { ProcessingOptions } from '../options/options.ts'

/** The field of the sound that takes the place of that of the film. */
export const replacedField = 'audio.replaceUrl'

/** An address that an option names, and the field it came from. */
type NamedAddress = { readonly field: string; readonly url: string }

/** The files that options need beside the sources and the media of elements: fonts, captions, tables of colours, another sound, and the picture of a sound. */
export function addressesBeside({
  elements = [],
  captions,
  color,
  audio,
  ...alone
}: Pick<
  ProcessingOptions,
  'elements' | 'captions' | 'color' | 'audio' | 'background' | 'waveform'
>): NamedAddress[] {
  const fonts = elements.map((element, i) => ({
    field: `elements[${i}].font`,
    url: element.type === 'text' ? element.font : undefined,
  }))
  const named = [
    ...fonts,
    { field: 'captions.font', url: captions?.font },
    { field: 'captions.source.url', url: captions?.source?.url },
    { field: 'color.lutUrl', url: color?.lutUrl },
    { field: replacedField, url: audio?.replaceUrl },
  ]
  const below = groundAsked(alone)
  if (below && !isColor(below.ground)) named.push({ field: below.field, url: below.ground })
  return named.flatMap(({ field, url }) =>
    url === undefined || isBuiltInFont(url) ? [] : [{ field, url }],
  )
}
