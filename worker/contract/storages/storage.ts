import { z } from 'zod'
import { worded } from '../answers/wording.ts'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { urlFault } from '../options/media-url.ts'
import { keyFault } from './object-key.ts'
import { storageName } from './storage-name.ts'
import { textWithout } from '../input/text.ts'
import { timestamp } from '../timestamp.ts'

const addressings = ['path', 'host'] as const
export type Addressing = (typeof addressings)[number]

const endpoint = worded(
  textWithout(limits.urlLength, (text) => urlFault(text) ?? endpointFault(new URL(text))).meta({
    format: 'uri',
  }),
  'the address of an S3 service, such as "https://s3.eu-central-1.amazonaws.com"',
)

function endpointFault({ search, hash }: URL): string | undefined {
  return search === '' && hash === '' ? undefined : 'Must not have a ? or a #'
}

const bucket = worded(
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/)
    .refine((name) => !name.includes('..'), 'Must not have two dots in a row'),
  'the name of a bucket, such as "my-videos"',
)

const prefix = worded(
  textWithout(512, (text) => (text === '' ? undefined : keyFault(withoutLastSlash(text)))),
  'a folder such as "raw/2026"',
)

/** The same folder, whether or not a slash stands behind it. */
export function withoutLastSlash(text: string): string {
  return text.replace(/\/$/, '')
}

const region = worded(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), 'a region such as "eu-central-1"')

/** What a header can carry, and no separator of the header that carries it. */
const accessKeyId = worded(
  z.string().regex(/^[\x21-\x2b\x2d\x2e\x30-\x3c\x3e-\x7e]{1,256}$/),
  'the id of an access key, such as "AKIAIOSFODNN7EXAMPLE"',
)
const secretAccessKey = worded(
  z.string().regex(/^[\x21-\x7e]{1,512}$/),
  'the secret of the access key',
)

const addressing = z
  .enum(addressings)
  .describe('Where a request names the bucket: in the path, or before the host of the endpoint')

export const defaultRegion = 'us-east-1'

/** The body of PUT /v1/storages/{storageName}. */
export const putStorage = worded(
  closedObject(
    {
      endpoint: endpoint.describe('The address of the S3 service, without the bucket'),
      region: region
        .default(defaultRegion)
        .describe('The region that requests are signed for; R2 and MinIO take the default'),
      bucket: bucket.describe('The bucket'),
      prefix: prefix
        .default('')
        .describe('A folder in the bucket; nothing outside of it is touched'),
      addressing: addressing.default('path'),
      accessKeyId: accessKeyId.describe('A key that may read, write and delete below the prefix'),
      secretAccessKey: secretAccessKey
        .optional()
        .describe(
          'Its secret, which no answer shows. May be left out when a storage is saved again with the same endpoint and accessKeyId',
        ),
    },
    {
      url: 'Unknown field; did you mean endpoint?',
      secret: 'Unknown field; did you mean secretAccessKey?',
      pathStyle: 'Unknown field; did you mean addressing: "path"?',
      forcePathStyle: 'Unknown field; did you mean addressing: "path"?',
    },
  ).superRefine((storage, context) => {
    const message = hostFault(storage)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['bucket'], message })
  }),
  'an object such as {"endpoint": "https://s3.eu-central-1.amazonaws.com", "bucket": "my-videos", "accessKeyId": "AKIA…", "secretAccessKey": "…"}',
)
export type PutStorage = z.infer<typeof putStorage>

function hostFault({
  endpoint: base,
  addressing: style,
  bucket: name,
}: StoragePlace): string | undefined {
  if (style === 'path') return undefined
  if (!/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/.test(name)) {
    return 'Must have only lower-case letters, digits, dots and dashes to stand before the host; use addressing: "path"'
  }
  const { hostname } = objectUrl({ endpoint: base, bucket: name, addressing: style })
  // Nothing can stand before an address in numbers, and the parser then leaves the host as it was.
  return hostname.startsWith(`${name}.`)
    ? undefined
    : 'Cannot stand before the host of this endpoint; use addressing: "path"'
}

/** Where objects are, without what opens them. */
export const storagePlace = z.object({ endpoint, bucket, addressing: addressing.default('path') })
type StoragePlace = z.infer<typeof storagePlace>

/** The address of a key in the bucket. Every character that is not plain is escaped, as the signature expects it. */
export function objectUrl(
  { endpoint: base, bucket: name, addressing: style }: StoragePlace,
  key = '',
) {
  const url = new URL(base)
  const root = url.pathname.replace(/\/+$/, '')
  if (style === 'host') url.hostname = `${name}.${url.hostname}`
  const path = key.split('/').map(escapeSegment).join('/')
  url.pathname = style === 'host' ? `${root}/${path}` : `${root}/${name}/${path}`
  return url
}

function escapeSegment(text: string): string {
  const escape = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, escape)
}

export const storageRecord = z.object({
  name: storageName.describe('What `storage://` addresses and destinations call it'),
  endpoint: z.string(),
  region: z.string(),
  bucket: z.string(),
  prefix: z.string().describe('Empty: the whole bucket'),
  addressing,
  accessKeyId: z.string().describe('Its secret is kept encrypted, and shown to nobody'),
  createdAt: timestamp,
  lastUpdatedAt: timestamp,
})
export type StorageRecord = z.infer<typeof storageRecord>

export const storagePage = z.object({
  data: z.array(storageRecord).describe('By name'),
  nextCursor: z.null().describe('Always null: all storages fit on one page'),
})
export type StoragePage = z.infer<typeof storagePage>
