import type { VideoFacts } from '../timeline/media-facts.ts'

/** Parts of equal length. Two pictures represent each: the first of the part, and one shortly after it. */
export type Parts = { readonly seconds: number }

/** The time between these two, within which a fade becomes visible. */
const nextSeconds = 0.2
const shortestPart = 0.25
/** This much of the video is kept from a key picture on. The second picture must be in it, although pictures are stored out of order. */
const keptSeconds = 0.35

/** Divides the video into at most `count` equal parts, each long enough to have two pictures. */
export function partsOf({ endSeconds }: Pick<VideoFacts, 'endSeconds'>, count: number): Parts {
  const fitting = Math.max(1, Math.min(count, Math.floor(endSeconds / shortestPart)))
  return { seconds: Math.max(0.001, endSeconds / fitting) }
}

/**
 * An expression for `select`, which chooses by turns the first picture of a part and its second one. `ld(0)` is 1 while it
 * waits for the second one, `ld(1)` is the time of the first, and `ld(2)` the number of parts begun. If the pictures before
 * it are missing, only a key picture is certain to be complete.
 */
export function pairExpression({ seconds }: Parts, first: 'any' | 'key'): string {
  const part = `floor(t/${seconds.toFixed(6)})+1`
  const isBegun = `gt(${part},ld(2))${first === 'key' ? '*key' : ''}`
  const begin = `st(0,1)+0*st(1,t)+0*st(2,${part})`
  return `if(ld(0),if(gte(t,ld(1)+${nextSeconds}),st(0,0)+1,0),if(${isBegun},${begin},0))`
}

/**
 * An expression for the bitstream filter `noise`, which drops all packets except for the first key picture of each part
 * and the moment after it. `ld(0)` is 1 while packets are kept, `ld(1)` is the time of the key picture, and `ld(2)` is as
 * above.
 */
export function dropExpression({ seconds }: Parts): string {
  const part = `floor((pts-startpts)*tb/${seconds.toFixed(6)})+1`
  const isBegun = `key*gt(${part},ld(2))`
  const begin = `st(0,1)*0+0*st(1,dts*tb)+0*st(2,${part})`
  // The packet at which the moment ends is kept too.
  const goOn = `0*st(0,lt(dts*tb,ld(1)+${keptSeconds}))`
  return `if(${isBegun},${begin},if(ld(0),${goOn},1))`
}
