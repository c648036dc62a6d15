/** The most bytes that a key has in S3. */
const keyBytes = 1024

const encoder = new TextEncoder()

/**
 * Says why a text cannot be the key of an object. URL parsers read `.` and `..` between slashes as steps, even if they are
 * escaped, so a request for such a key would reach another object.
 */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'Must not be empty'
  if (encoder.encode(key).length > keyBytes) return `Must be at most ${keyBytes} bytes`
  if (/\p{Cc}/u.test(key) || !key.isWellFormed()) return 'Must not contain control characters'
  const segments = key.split('/')
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return 'Must not have . or .. between slashes'
  }
  if (segments.includes('')) {
    return 'Must not begin or end with a slash, or have two of them in a row'
  }
  return undefined
}

/** The key within the bucket of what has this key within the prefix of a storage. */
export function keyUnder(prefix: string, key: string): string {
  return prefix === '' ? key : `${prefix}/${key}`
}
