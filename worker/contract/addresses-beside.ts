import { isBuiltInFont } from './fonts.ts'
import type { ProcessingOptions } from './options.ts'

/** An address that an option names, and the field it came from. */
export type NamedAddress = { readonly field: string; readonly url: string }

/** The files that options need beside the sources and the media of elements: fonts. */
export function addressesBeside({
  elements = [],
}: Pick<ProcessingOptions, 'elements'>): NamedAddress[] {
  const fonts = elements.map((element, i) => ({
    field: `elements[${i}].font`,
    url: element.type === 'text' ? element.font : undefined,
  }))
  return fonts.flatMap(({ field, url }) =>
    url === undefined || isBuiltInFont(url) ? [] : [{ field, url }],
  )
}
