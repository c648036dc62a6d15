import { isLocalPath } from '../addresses/local-path.ts'
import { isUploadAddress, uploadAddressFault } from '../addresses/upload-address.ts'
import { limits } from '../limits.ts'
import { isStorageAddress, storageAddressFault } from '../storages/storage-address.ts'
import { worded } from '../answers/wording.ts'
import { textWithout } from '../input/text.ts'

/**
 * The syntax that every address from a customer must have; `public-url.ts` decides which hosts it may name. The value
 * is kept as it was sent, because the record echoes it; only the parsed form is ever fetched.
 */
function addressOf(example: string, faultOf: (text: string) => string | undefined) {
  const address = textWithout(limits.urlLength, faultOf).meta({ format: 'uri' })
  return worded(address, `an address such as "${example}"`)
}

const onDisk = 'Is a path on your own disk, where the service cannot read it'

export const mediaUrl = addressOf('https://example.com/talk.mp4', (text) =>
  isLocalPath(text)
    ? `${onDisk}; upload the file with POST /v1/uploads, and give its uploadId instead`
    : sourceFault(text),
)
export const elementUrl = addressOf('https://example.com/logo.png', (text) =>
  isLocalPath(text)
    ? `${onDisk}; upload the file with POST /v1/uploads, and give upload:// and its uploadId instead`
    : sourceFault(text),
)
/** Captions cannot be uploaded, only files from which videos are made. */
export const captionUrl = addressOf('https://example.com/logo.png', (text) => {
  if (isLocalPath(text)) {
    return `${onDisk}; put the file where it can be fetched, and give that address`
  }
  return isStorageAddress(text) ? storageAddressFault(text) : urlFault(text)
})
export const webhookAddress = addressOf('https://example.com/hooks', urlFault)

/** A source may also lie in a storage of the account, or have been uploaded. */
function sourceFault(text: string): string | undefined {
  if (isUploadAddress(text)) return uploadAddressFault(text)
  return isStorageAddress(text) ? storageAddressFault(text) : urlFault(text)
}

// URL parsers disagree about white space, control characters and backslashes.
const forbidden = /[\s\\\p{Cc}]/u

export function urlFault(text: string): string | undefined {
  if (forbidden.test(text)) return 'Must not contain spaces, control characters or backslashes'
  if (/^(s3|gs|r2|az):/i.test(text)) {
    return 'Must be an http:// or https:// address, such as a presigned link of the bucket'
  }
  if (!/^https?:\/\//i.test(text)) return 'Must be an http:// or https:// address'
  const url = URL.parse(text)
  if (!url || url.hostname === '' || !text.isWellFormed()) return 'Is not a valid URL'
  // Looks at the text itself, because parsing drops an empty user name and password together with the `@`.
  if (/^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))) {
    return 'Must not contain a user name or password'
  }
  return undefined
}
