import { isBuiltInFont } from '../options/captions/fonts.ts'
import { groundAsked, isColor } from '../options/sound/sound-alone.ts'
import type { ProcessingOptions } from '../options/options.ts'

/** The field of the sound that replaces that of the film. */
export const replacedField = 'audio.replaceUrl'

/** An address that an option names, and the field that has it. */
type NamedAddress = { readonly field: string; readonly url: string }

/** The files of options besides sources and media of elements: fonts, captions, colour tables, another sound, its picture. */
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
