import type { pipeAll } from '../../graph/filter-graph.ts'

export type Filters = Parameters<typeof pipeAll>[1]

export const exactColors = 'accurate_rnd+full_chroma_int+full_chroma_inp'

/** Converts to planes of red, green and blue, in which sizes and offsets of one pixel are exact. */
export function toPlanes(isTransparent: boolean): Filters {
  return [
    ['scale', { flags: exactColors }],
    ['format', { pix_fmts: isTransparent ? 'gbrap' : 'gbrp' }],
  ]
}
