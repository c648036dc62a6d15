export const defaultWebhookSchedule = '0,5,300,1800,7200,18000,36000,36000'

const mostAttempts = 20
const longestWaitSeconds = 604_800

/** Reads `0,5,300`: how many seconds after the one before it each attempt is made, and the first after the event. */
export function parseWebhookSchedule(text: string): number[] {
  const waits = text.split(',').map((entry) => entry.trim())
  const wrong = waits.find((wait) => !/^\d{1,6}$/.test(wait) || Number(wait) > longestWaitSeconds)
  if (wrong !== undefined) {
    throw new Error(`"${wrong}" is not a whole number of seconds from 0 to ${longestWaitSeconds}`)
  }
  if (waits.length > mostAttempts) throw new Error(`it names more than ${mostAttempts} attempts`)
  return waits.map(Number)
}
