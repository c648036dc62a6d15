/** The size of the same shape whose sides are at most this long; it is never enlarged. */
export function fitWithin(
  { width, height }: { width: number; height: number },
  side: number,
): { w: number; h: number } {
  const factor = Math.min(1, side / width, side / height)
  return { w: Math.max(1, Math.round(width * factor)), h: Math.max(1, Math.round(height * factor)) }
}
