/**
 * Escapes one option value for a filter graph. Level 1 protects it from the option parser; level 2 protects the result
 * from the graph parser, where `[ ] , ;` also end a token. Both drop blanks at the ends unless these are escaped.
 */
export function escapeFilterValue(value: string | number): string {
  const option = escapeEnds(plainText(value).replace(/[\\':]/g, '\\$&'))
  return escapeEnds(option.replace(/[\\'[\],;]/g, '\\$&'))
}

function escapeEnds(text: string): string {
  return text.replace(/^\s|\s$/g, '\\$&')
}

/** Writes numbers without exponents and with at most six decimals: ffmpeg reads no more from a time. */
function plainText(value: string | number): string {
  if (typeof value === 'string') return value
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot stand in a filter graph`)
  return value
    .toFixed(6)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}
