export function secondsText(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** With a real minus sign, which is as wide as a digit. */
export function loudnessText(lufs: number): string {
  return `${lufs.toFixed(1).replace('-', '−')} LUFS`
}
