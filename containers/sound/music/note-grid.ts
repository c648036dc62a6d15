/** An octave has twelve notes, and tones are counted in tenths of what is between two of them. */
const cells = 10

/**
 * How clearly tones are notes: those of music are whole semitones from each other, however it is tuned, those of voices,
 * horns and drops of water anywhere. Each pitch counts once and a little more for every time it is there, so that a hum is
 * few tones. For tones anywhere this is 1 and more than 2.6 once in 900 times (Rayleigh's test).
 */
export function noteClarity(pitches: Iterable<number>): number {
  const times = new Map<number, number>()
  for (const pitch of pitches) times.set(pitch, (times.get(pitch) ?? 0) + 1)
  let [real, imaginary, squares] = [0, 0, 0]
  for (const [pitch, count] of times) {
    const weight = Math.log1p(count)
    const angle = (2 * Math.PI * pitch) / cells
    real += weight * Math.cos(angle)
    imaginary += weight * Math.sin(angle)
    squares += weight ** 2
  }
  return squares > 0 ? Math.hypot(real, imaginary) / Math.sqrt(squares) : 0
}
