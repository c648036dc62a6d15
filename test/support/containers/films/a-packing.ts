import type { Packing } from '../../../../containers/ffmpeg/measure-packing.ts'

/** How pictures are stored, in decoding order; times are in seconds. */
export function aPacking(
  pictures: readonly { at: number; isKey?: boolean; isHidden?: boolean }[],
): Packing {
  return {
    stream: new Map([
      ['time_base', '1/12800'],
      ['extradata_hash', 'MD5:0'],
    ]),
    shownAt: Float64Array.from(pictures, ({ at }) => at),
    decodedAt: Float64Array.from(pictures, (_, i) => i / 25),
    sizes: new Float64Array(pictures.length).fill(100),
    positions: Float64Array.from(pictures, (_, i) => i * 100),
    keys: Uint8Array.from(pictures, ({ isKey }) => (isKey ? 1 : 0)),
    hidden: Uint8Array.from(pictures, ({ isHidden }) => (isHidden ? 1 : 0)),
    beginsWithKey: pictures[0]?.isKey === true,
    hasHidden: pictures.some(({ isHidden }) => isHidden),
    isWhole: true,
    hasDescriptions: false,
  }
}

/** Groups at 25 pictures a second, each of them stored as the given places in the order of showing. */
export function groupsOf(places: readonly number[], groups: number): Packing {
  return aPacking(
    Array.from({ length: groups }, (_, group) =>
      places.map((place, i) => ({ at: (group * places.length + place) / 25, isKey: i === 0 })),
    ).flat(),
  )
}
