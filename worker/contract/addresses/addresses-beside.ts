import { isBuiltInFont } from '../options/fonts.ts'
import type { ProcessingOptions } from '../options/options.ts'

/** An address that an option names, and the field it came from. */
type NamedAddress = { readonly field: string; readonly url: string }

/** The files that options need beside the sources and the media of elements: fonts and captions. */
export function addressesBeside({
  elements = [],
  captions,
}: Pick<ProcessingOptions, 'elements' | 'captions'>): NamedAddress[] {
  const fonts = elements.map((element, i) => ({
    field: `elements[${i}].font`,
    url: element.type === 'text' ? element.font : undefined,
  }))
  const named = [
    ...fonts,
    { field: 'captions.font', url: captions?.font },
    { field: 'captions.source.url', url: captions?.source?.url },
  ]
  return named.flatMap(({ field, url }) =>
    url === undefined || isBuiltInFont(url) ? [] : [{ field, url }],
  )
}
