/** `02:03` or `1:02:03.5`: what comes after a colon has two digits and stays below 60. Without a colon, `5` means seconds. */
export const clockTime = /^(?:(?:\d{1,3}:[0-5]\d|\d{1,3}):[0-5]\d|\d{1,6})(?:\.\d{1,9})?$/

/** The seconds that a time means; undefined if the text is none. */
export function secondsOf(text: string): number | undefined {
  if (!clockTime.test(text)) return undefined
  const [clock = '', fraction = '0'] = text.split('.')
  const whole = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  // Read as one number, so that it is the one that the same seconds in digits are.
  return Number(`${whole}.${fraction}`)
}
