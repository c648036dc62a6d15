type FitRequest = {
  /** The quality that was asked for, whose result is too large. */
  readonly asked: number
  readonly askedBytes: number
  readonly mostBytes: number
  readonly tries: number
}

/**
 * Finds the highest quality below the one asked for whose result fits; undefined if not even the lowest does. It takes
 * the highest so that a lower requested quality never gives a larger file. Every try is a whole encode, but sizes grow
 * by about the same share from one quality to the next, so few tries are enough.
 */
export async function highestFitting(
  { asked, askedBytes, mostBytes, tries }: FitRequest,
  bytesAt: (quality: number) => Promise<number>,
): Promise<number | undefined> {
  if (asked <= 1) return undefined
  let fits = { quality: 1, bytes: await bytesAt(1) }
  let tooLarge = { quality: asked, bytes: askedBytes }
  if (fits.bytes > mostBytes) return undefined
  for (let left = tries - 1; left > 0 && tooLarge.quality - fits.quality > 1; left--) {
    const quality = guess(fits, tooLarge, mostBytes)
    const tried = { quality, bytes: await bytesAt(quality) }
    if (tried.bytes <= mostBytes) fits = tried
    else tooLarge = tried
  }
  return fits.quality
}

type Tried = { quality: number; bytes: number }

function guess(fits: Tried, tooLarge: Tried, mostBytes: number): number {
  const share = Math.log(mostBytes / fits.bytes) / Math.log(tooLarge.bytes / fits.bytes)
  const between = fits.quality + share * (tooLarge.quality - fits.quality)
  return Math.min(tooLarge.quality - 1, Math.max(fits.quality + 1, Math.floor(between)))
}
