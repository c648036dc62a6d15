/** A triangle over the lines of a spectrum: the weights of those from `first` on. */
export type MelFilter = { readonly first: number; readonly weights: Float64Array }

export type MelShape = {
  readonly sampleRate: number
  readonly fftSize: number
  readonly bands: number
}

/** The scale of Slaney: linear up to 1 kHz, logarithmic above. */
const hertzPerMel = 200 / 3
const logFrom = 1_000
const logFromMel = logFrom / hertzPerMel
const logStep = Math.log(6.4) / 27

function melOf(hertz: number): number {
  return hertz < logFrom ? hertz / hertzPerMel : logFromMel + Math.log(hertz / logFrom) / logStep
}

function hertzOf(mel: number): number {
  return mel < logFromMel ? mel * hertzPerMel : logFrom * Math.exp(logStep * (mel - logFromMel))
}

/** Triangles of equal area, which lie evenly on the mel scale from 0 to half of the sample rate. */
export function melFilters({ sampleRate, fftSize, bands }: MelShape): MelFilter[] {
  const highest = melOf(sampleRate / 2)
  const corner = (i: number): number => hertzOf((highest * i) / (bands + 1))
  const lines = fftSize / 2 + 1
  return Array.from({ length: bands }, (_, band) => {
    const [low, peak, high] = [corner(band), corner(band + 1), corner(band + 2)]
    const weights = Array.from({ length: lines }, (__, line) => {
      const hertz = (line * sampleRate) / fftSize
      const height = Math.min((hertz - low) / (peak - low), (high - hertz) / (high - peak))
      return (Math.max(0, height) * 2) / (high - low)
    })
    const first = Math.max(
      0,
      weights.findIndex((weight) => weight > 0),
    )
    const end = weights.findLastIndex((weight) => weight > 0) + 1
    return { first, weights: Float64Array.from(weights.slice(first, end)) }
  })
}
