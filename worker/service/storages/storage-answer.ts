import { storageLimits } from '../../contract/limits.ts'

/** The text of an element of the XML that S3 answers; its errors have few and simple ones. */
export function elementOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text === undefined ? undefined : unescapeXml(text)
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d{1,3});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
}

/** The code of an error, such as NoSuchBucket. Undefined if the body is not an error of S3. */
export function errorCode(xml: string): string | undefined {
  const code = elementOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

/** The answer of a storage that refused a request, in words for people. */
export function sayAnswer(status: number, xml: string): string {
  if (status >= 300 && status < 400) {
    return `the storage answered ${status}, which sends to another address; give the endpoint and region of the bucket itself`
  }
  const code = errorCode(xml)
  if (code === undefined) return `the storage answered ${status}`
  const message = cleaned(elementOf(xml, 'Message') ?? '')
  return `the storage answered ${status}, ${code}${message === '' ? '' : `: ${message}`}`
}

/** One line of foreign text, without characters that change how a line is read. */
function cleaned(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return plain.length <= storageLimits.toldErrorChars
    ? plain
    : `${plain.slice(0, storageLimits.toldErrorChars).toWellFormed()}…`
}
