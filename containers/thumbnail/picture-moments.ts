import type { VideoFacts } from '../timeline/media-facts.ts'

/** Parts of a video that are shown by two pictures each: the first of the part, and the one shortly after it. */
export type Parts = { readonly seconds: number }

/** Between the two: a fade shows itself by then. */
const nextSeconds = 0.2
const shortestPart = 0.25
/** How much of the video is kept from a key picture on: the next one must come out of it, though pictures are reordered. */
const keptSeconds = 0.35

/** At most `count` equal parts, none too short to have two pictures. */
export function partsOf({ endSeconds }: Pick<VideoFacts, 'endSeconds'>, count: number): Parts {
  const fitting = Math.max(1, Math.min(count, Math.floor(endSeconds / shortestPart)))
  return { seconds: Math.max(0.001, endSeconds / fitting) }
}

/**
 * For `select`: by turns the first picture of a part and the next one. `ld(0)` is 1 while the next one is waited for,
 * `ld(1)` the time of the first, `ld(2)` the number of parts that were begun. Only a key picture is sure to be whole
 * where others are missing before it.
 */
export function pairExpression({ seconds }: Parts, first: 'any' | 'key'): string {
  const part = `floor(t/${seconds.toFixed(6)})+1`
  const isBegun = `gt(${part},ld(2))${first === 'key' ? '*key' : ''}`
  const begin = `st(0,1)+0*st(1,t)+0*st(2,${part})`
  return `if(ld(0),if(gte(t,ld(1)+${nextSeconds}),st(0,0)+1,0),if(${isBegun},${begin},0))`
}

/**
 * For the bitstream filter `noise`: drops every packet but those of the first key picture of each part, and of the
 * moment that follows it. `ld(0)` is 1 while they are kept, `ld(1)` the time of the key, `ld(2)` as above.
 */
export function dropExpression({ seconds }: Parts): string {
  const part = `floor((pts-startpts)*tb/${seconds.toFixed(6)})+1`
  const isBegun = `key*gt(${part},ld(2))`
  const begin = `st(0,1)*0+0*st(1,dts*tb)+0*st(2,${part})`
  // The packet that ends the moment is kept as well.
  const goOn = `0*st(0,lt(dts*tb,ld(1)+${keptSeconds}))`
  return `if(${isBegun},${begin},if(ld(0),${goOn},1))`
}
