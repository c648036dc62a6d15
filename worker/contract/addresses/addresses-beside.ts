import { isBuiltInFont } from '../options/fonts.ts'
import type { ProcessingOptions } from '../options/options.ts'

/** An address that an option names, and the field it came from. */
type NamedAddress = { readonly field: string; readonly url: string }

/** The files that options need beside the sources and the media of elements: fonts, captions and tables of colours. */
export function addressesBeside({
  elements = [],
  captions,
  color,
}: Pick<ProcessingOptions, 'elements' | 'captions' | 'color'>): NamedAddress[] {
  const fonts = elements.map((element, i) => ({
    field: `elements[${i}].font`,
    url: element.type === 'text' ? element.font : undefined,
  }))
  const named = [
    ...fonts,
    { field: 'captions.font', url: captions?.font },
    { field: 'captions.source.url', url: captions?.source?.url },
    { field: 'color.lutUrl', url: color?.lutUrl },
  ]
  return named.flatMap(({ field, url }) =>
    url === undefined || isBuiltInFont(url) ? [] : [{ field, url }],
  )
}
